/** The links in the README install what they say. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const ENTRY = {
  command: 'npx',
  args: ['-y', 'waymark', 'mcp'],
  env: { WAYMARK_PROJECT: '${workspaceFolder}' },
};

function linkCalled(label: string): URL {
  const [, url = ''] = new RegExp(`\\[${label}\\]\\(([^)]+)\\)`).exec(readme) ?? [];
  return new URL(url);
}

test('the link for Cursor holds the entry', () => {
  const { searchParams } = linkCalled('Add to Cursor');

  expect(searchParams.get('name')).toBe('waymark');
  expect(JSON.parse(Buffer.from(searchParams.get('config') ?? '', 'base64').toString('utf8'))).toEqual(ENTRY);
});

test('the link for VS Code holds the entry with its name', () => {
  const inner = linkCalled('Add to VS Code').searchParams.get('url') ?? '';

  expect(inner.startsWith('vscode:mcp/install?')).toBe(true);
  expect(JSON.parse(decodeURIComponent(inner.slice(inner.indexOf('?') + 1)))).toEqual({
    name: 'waymark',
    ...ENTRY,
  });
});
