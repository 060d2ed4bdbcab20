/**
 * What an agent reads: one answer of search, references and recall about a small shop, as the built program gives it over stdio; and a
 * picture of what the commands print. They stand in the README and a guide; `npm run answers` writes them, test/docs/answers.test.ts compares.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { git } from './git.ts';
import { SHOP_FILES } from './search-shop.ts';
import { tempFolder, type OnEnd } from './temp-folder.ts';
import { PICTURE_THEMES, renderTerminal } from './terminal-picture.ts';

/** What a machine or a moment puts in. */
const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/\b(?:fix|rem|cp|fact|skill)-[0-9a-f]{12}\b/g, 'fix-0123456789ab'],
  [/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?Z?)?/g, '2026-01-31T12:00'],
];

const COMMANDS = [
  ['search', 'how are idle sessions expired', '--limit', '1'],
  ['references', 'priceOf'],
  ['impact', 'src/cart/price.ts'],
] as const;

/** Where they stand. */
export const PAGES = ['README.md', 'docs/guides/memory.md'];

export interface Answers {
  /** Between the marks of these names. */
  readonly texts: ReadonlyMap<string, string>;
  /** By path in the repository. */
  readonly pictures: ReadonlyMap<string, string>;
}

export async function readmeAnswers(program: string, onEnd: OnEnd): Promise<Answers> {
  const { '.git/HEAD': _, ...files } = SHOP_FILES;
  const shop = Object.entries(files).map(([path, text]) => [`shop/${path}`, text] as const);
  const folder = tempFolder(Object.fromEntries(shop), onEnd);
  const root = folder.join('shop');
  mkdirSync(folder.join('home'));
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'first');
  const env = { HOME: folder.join('home'), PATH: process.env['PATH'] ?? '' };
  // A call that waits for the parser would say so.
  execFileSync(process.execPath, [program, 'index', '--exact'], { cwd: root, env, stdio: 'ignore' });
  const client = new Client({ name: 'claude-code', version: '2.1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp'],
    cwd: root,
    env,
    stderr: 'ignore',
  });
  await client.connect(transport);
  const call = async (name: string, args: Record<string, unknown>): Promise<string> => {
    const { content } = await client.callTool({ name, arguments: args });
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    const fence = /<<<([0-9a-f]+)/.exec(text)?.[1] ?? root;
    const settled = text.replaceAll(root, '/home/me/shop').replaceAll(fence, '6f1c2ab3').trimEnd();
    return CHANGING.reduce((known, [form, as]) => known.replace(form, as), settled);
  };
  try {
    await call('remediation_save', {
      error: 'Error: unknown article\n    at priceOf (src/cart/price.ts:6:34)',
      solution: 'The article was sold out. Look it up in PRICES before it is put into the cart.',
      files: ['src/cart/price.ts'],
    });
    const texts = new Map([
      ['search', await call('search_code', { query: 'how are idle sessions expired', limit: 1 })],
      ['references', await call('find_references', { symbol: 'priceOf' })],
      ['recall', await call('recall', { query: 'Error: unknown article' })],
    ]);
    const screen = COMMANDS.map((args) => ({
      command: `waymark ${args.map((word) => (word.includes(' ') ? `"${word}"` : word)).join(' ')}`,
      printed: execFileSync(process.execPath, [program, ...args], { cwd: root, env, encoding: 'utf8' }),
    }));
    const pictures = PICTURE_THEMES.map(
      (theme) => [`docs/charts/terminal-${theme}.svg`, renderTerminal(screen, theme)] as const,
    );
    return { texts, pictures: new Map(pictures) };
  } finally {
    await client.close();
  }
}

/** The page with each answer between its marks. */
export function withAnswers(page: string, answers: ReadonlyMap<string, string>): string {
  return [...answers].reduce(
    (text, [name, answer]) =>
      text.replace(
        new RegExp(`(<!-- answer: ${name} -->).*?(<!-- /answer -->)`, 's'),
        (_, open: string, close: string) => `${open}\n\n\`\`\`text\n${answer}\n\`\`\`\n\n${close}`,
      ),
    page,
  );
}
