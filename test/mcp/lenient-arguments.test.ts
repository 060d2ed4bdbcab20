/** D2, D6: what models and clients really send is taken for what it means; what is unknown stays an error. */
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { BadArguments, TOOLS, type Tool } from '../../src/tools/index.ts';
import { CLIENT_KINDS, isStdio, openClient, type ClientKind } from '../support/clients.ts';
import { memoryProject } from '../support/memory-client.ts';
import { send } from '../support/raw-http.ts';
import { searchShop } from '../support/search-shop.ts';
import { run, serve } from '../support/waymark.ts';

async function connect(kind: ClientKind, cwd: string) {
  if (isStdio(kind)) return openClient({ kind, cwd, args: ['--no-tip'] });
  const { url } = await serve(['--project-from-cwd', '--no-tip'], { cwd });
  return openClient({ kind, url: kind.startsWith('HTTP+SSE') ? url.replace('/mcp', '/sse') : url });
}

describe.each(CLIENT_KINDS)('%s', (kind) => {
  test('R121 F21 known additions, null, empty text, numbers and truths in text and single values answer as they are meant', async () => {
    const client = await connect(kind, searchShop().path);
    const query = 'apply a discount to a price';

    const plain = await client.call('search_code', { query, limit: 3, lang: ['ts'], changed: false });
    const written = await client.call('search_code', {
      query,
      limit: '3',
      lang: 'ts',
      changed: 'false',
      path: '',
      kind: null,
      symbol: '',
      branch: null,
      cursor: '',
      detail: null,
      project: null,
      project_path: '',
      wait_for_previous: true,
    });

    expect(plain).toMatchObject({ isError: false });
    expect(written.text).toBe(plain.text);
  });

  test('R121 F21 what is unknown is an error that names the near argument, and every other bad field', async () => {
    const client = await connect(kind, searchShop().path);

    const { isError, text } = await client.call('search_code', {
      query: 'x',
      limt: 3,
      no_such: null,
      limit: 'three',
      lang: [7],
    });

    expect(isError).toBe(true);
    expect(text).toContain('unknown argument `limt` (did you mean `limit`?), `no_such`');
    expect(text).toContain('`limit`: ');
    expect(text).toContain('`lang.0`: ');
    expect(text).toContain('next: Call search_code with arguments such as ');
    const { text: bare } = await client.call('fact_save', { text: 'Ports start at 4000.' });
    expect(bare).toContain('`fact` is missing; unknown argument `text`');
  });
});

test('R126 R121 plain HTTP takes the same', async () => {
  const { folder, home } = memoryProject();
  const { port } = await serve(['--rest'], { home });
  const { stdout } = await run(['token'], { home });
  const post = (path: string, body: unknown) =>
    send(port, {
      method: 'POST',
      path,
      body,
      headers: {
        host: `127.0.0.1:${port}`,
        authorization: `Bearer ${stdout.trim()}`,
        'content-type': 'application/json',
      },
    });

  const saved = await post('/mcp/checkpoint/save', {
    project: folder.path,
    project_path: null,
    content: 'Retries done.',
    name: '',
    summary: null,
    tags: 'uploads',
    wait_for_previous: false,
  });
  const listed = await post('/mcp/checkpoint/list', { project: folder.path, limit: '1', offset: null });
  const refused = await post('/mcp/checkpoint/list', { project: folder.path, limitt: 1 });

  expect([saved.status, listed.status, refused.status]).toEqual([200, 200, 400]);
  expect(listed.text).toContain('Retries done.');
  expect(refused.text).toContain('did you mean `limit`?');
});

interface Field {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly items?: { readonly enum?: readonly string[] };
}

/** The arguments that a tool cannot do without, as its listing describes them; and the names of the others. */
function argumentsOf({ inputSchema }: Tool) {
  // As zod writes them.
  const fields = Object.entries(inputSchema['properties'] as Readonly<Record<string, Field>>);
  // As zod writes it.
  const required = (inputSchema['required'] ?? []) as readonly string[];
  const needed = fields.filter(([name]) => required.includes(name));
  return {
    needed: Object.fromEntries(needed.map(([name, field]) => [name, sampleOf(field)])),
    others: fields.filter(([name]) => !required.includes(name)),
  };
}

function sampleOf(field: Field): unknown {
  if (field.enum !== undefined) return field.enum[0];
  if (field.type === 'array') return ['x'];
  return field.type === 'boolean' ? true : 'x';
}

describe.each(TOOLS)('R121 $name', (tool) => {
  const { needed, others } = argumentsOf(tool);

  test.each([null, ''])('takes %j for every optional argument as left out', (empty) => {
    const given = { ...needed, ...Object.fromEntries(others.map(([name]) => [name, empty])) };

    expect(tool.parse(given)).toEqual(tool.parse(needed));
  });

  test('takes a number and a truth in text and a single value for a list', () => {
    const wrong = others.flatMap(([name, field]) =>
      written(name, field)
        .filter(({ text, means }) => !isDeepStrictEqual(parsed({ [name]: text })?.[name], means))
        .map(({ text }) => `${name}: ${text}`),
    );

    expect(wrong).toEqual([]);
  });

  test('takes no other value for a number, and nothing that has no name here', () => {
    const numbers = others.filter(([, { type }]) => type === 'number' || type === 'integer');
    const taken = numbers.flatMap(([name]) =>
      ['three', '3px', '0x3', 'NaN', '3,5', [3], true].filter((odd) => parsed({ [name]: odd }) !== undefined),
    );

    expect(taken).toEqual([]);
    expect(parsed({ wait_for_previous: true })).toEqual(parsed({}));
    expect(parsed({ wait_for_next: true })).toBeUndefined();
  });

  /** What the tool makes of these beside what it needs; undefined if it refuses them. */
  function parsed(more: Readonly<Record<string, unknown>>) {
    try {
      return tool.parse({ ...needed, ...more });
    } catch (thrown) {
      if (thrown instanceof BadArguments) return undefined;
      throw thrown;
    }
  }
});

/** Ways to write a value of this field, with what each means. */
function written(
  name: string,
  { type, items }: Field,
): readonly { readonly text: string; readonly means: unknown }[] {
  const number = name === 'budget' ? 500 : 3;
  const item = items?.enum?.[0] ?? 'x';
  switch (type ?? '') {
    case 'number':
    case 'integer':
      return [
        { text: `${number}`, means: number },
        { text: ` ${number} `, means: number },
      ];
    case 'boolean':
      return [
        { text: 'True', means: true },
        { text: 'false', means: false },
      ];
    case 'array':
      return [
        { text: item, means: [item] },
        { text: `["${item}"]`, means: [item] },
        ...(items?.enum === undefined ? [{ text: '[slug]', means: ['[slug]'] }] : []),
      ];
    default:
      return [];
  }
}
