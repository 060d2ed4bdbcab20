/** Links that install Waymark in an editor with one click, and the part of the guide to clients they stand in. */
import { NPX_LATEST } from './facts.mjs';

const BEGIN = '<!-- links: made by `npm run reference` from scripts/package/deep-links.mjs -->';
const END = '<!-- /links -->';
/** As setup writes it for both, but by the package runner: a link knows no paths. A test compares it with the table. */
const ENTRY = { type: 'stdio', ...NPX_LATEST, env: { WAYMARK_PROJECT: '${workspaceFolder}' } };

export function cursorLink() {
  const config = Buffer.from(JSON.stringify(ENTRY)).toString('base64');
  return `https://cursor.com/en/install-mcp?name=waymark&config=${encodeURIComponent(config)}`;
}

export function vsCodeLink() {
  const inner = `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'waymark', ...ENTRY }))}`;
  return `https://insiders.vscode.dev/redirect?url=${encodeURIComponent(inner)}`;
}

/** The page with its links as they should be. */
export function withDeepLinks(page) {
  const from = page.indexOf(BEGIN);
  const to = page.indexOf(END);
  if (from === -1 || to < from) throw new Error('docs/guides/clients.md has lost the marks around its links');
  const links = `[Add to Cursor](${cursorLink()}) · [Add to VS Code](${vsCodeLink()})`;
  return `${page.slice(0, from)}${BEGIN}\n\n${links}\n\n${page.slice(to)}`;
}
