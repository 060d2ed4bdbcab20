/** The links in the guide to clients install what setup would write, with the package runner in place of paths. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toConnection, toEntry } from '../../src/clients/index.ts';
import { clientNamed } from '../clients/client-home.ts';

const guide = readFileSync(new URL('../../docs/guides/clients.md', import.meta.url), 'utf8');
const NPX = { kind: 'stdio', command: 'npx', args: ['-y', 'waymark', 'mcp'], env: {} } as const;

function entryOf(id: string): object {
  const client = clientNamed(id);
  return { ...toEntry(client, toConnection(client, { scope: 'user', root: undefined, connection: NPX })) };
}

function linkCalled(label: string): URL {
  const [, url = ''] = new RegExp(`\\[${label}\\]\\(([^)]+)\\)`).exec(guide) ?? [];
  return new URL(url);
}

test('the link for Cursor holds the entry', () => {
  const { searchParams } = linkCalled('Add to Cursor');

  expect(searchParams.get('name')).toBe('waymark');
  expect(JSON.parse(Buffer.from(searchParams.get('config') ?? '', 'base64').toString('utf8'))).toEqual(
    entryOf('cursor'),
  );
});

test('the link for VS Code holds the entry with its name', () => {
  const inner = linkCalled('Add to VS Code').searchParams.get('url') ?? '';

  expect(inner.startsWith('vscode:mcp/install?')).toBe(true);
  expect(JSON.parse(decodeURIComponent(inner.slice(inner.indexOf('?') + 1)))).toEqual({
    name: 'waymark',
    ...entryOf('vscode'),
  });
});
