/** The table of tool names in docs/guides/migrating.md, made from the tools themselves. */
import { TOOLS } from '../../src/tools/index.ts';

const BEGIN = '<!-- tools: made by `npm run reference` from src/tools -->';
const END = '<!-- /tools -->';

/** The page with its table as it should be. */
export function withToolNames(page: string): string {
  const from = page.indexOf(BEGIN);
  const to = page.indexOf(END);
  if (from === -1 || to < from)
    throw new Error('docs/guides/migrating.md has lost the marks around its table');
  const rows = TOOLS.map(
    ({ name, aliases, title }) =>
      `| \`${name}\` | ${aliases.map((alias) => `\`${alias}\``).join(', ') || '–'} | ${title} |`,
  );
  const table = ['| tool | also answers to | what it is |', '|---|---|---|', ...rows].join('\n');
  return `${page.slice(0, from)}${BEGIN}\n\n${table}\n\n${page.slice(to)}`;
}
