/** Edits of configuration files: the entry goes in and comes out, and no other byte moves. */
import { parse as parseJsonc, type ParseError } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { dropEntry, putEntry, readEntry, type DocumentPlace, type Entry } from '../../src/clients/index.ts';
import { BROKEN_JSON, JSON_FILES } from '../fixtures/client-files/json-files.ts';
import { BROKEN_TOML, TOML_FILES } from '../fixtures/client-files/toml-files.ts';
import { BROKEN_YAML, YAML_FILES } from '../fixtures/client-files/yaml-files.ts';

const KEYS = { json: 'mcpServers', toml: 'mcp_servers', yaml: 'extensions' } as const;
type KeptFormat = keyof typeof KEYS;
const ENTRY: Entry = {
  type: 'stdio',
  command: '/opt/node 22/bin/node',
  args: ['C:\\way "mark"\\main.js', 'mcp'],
  env: { WAYMARK_PROJECT: '${workspaceFolder}' },
  enabled: true,
  timeout: 60,
};

function placeIn(format: KeptFormat): DocumentPlace {
  return { format, path: [KEYS[format], 'waymark'], file: 'file' };
}

/** The format's own parser, not ours. */
function parseWith(format: KeptFormat, text: string): unknown {
  const body = text.replace(/^\uFEFF/, '');
  if (format === 'toml') return parseToml(body);
  if (format === 'yaml') return parseYaml(body);
  const errors: ParseError[] = [];
  const value: unknown = parseJsonc(body, errors, { allowTrailingComma: true });
  expect(errors).toEqual([]);
  return value;
}

const SAMPLES = [
  ...JSON_FILES.map((file) => ({ ...file, format: 'json' as const })),
  ...TOML_FILES.map((file) => ({ ...file, format: 'toml' as const })),
  ...YAML_FILES.map((file) => ({ ...file, format: 'yaml' as const })),
].map((file) => ({ ...file, text: file.text.replaceAll('KEY', KEYS[file.format]) }));

describe.each(SAMPLES)('$format, $label', ({ format, text, reshaped = false }) => {
  const place = placeIn(format);

  test('holds the entry, as the format reads it', () => {
    const { text: after, before } = putEntry(text, place, ENTRY);

    expect(before).toBeUndefined();
    expect(parseWith(format, after)).toMatchObject({ [KEYS[format]]: { waymark: ENTRY } });
  });

  test('keeps every line there was, in order', () => {
    const { text: after } = putEntry(text, place, ENTRY);

    // A comma may be added to a line, and braces opened: every other line is there as it was.
    const kept = text.split('\n').filter((line) => !/\{\}/.test(line) || format === 'toml');
    const lines = after.split('\n');
    let at = 0;
    const lost = kept.filter((line) => {
      const found = lines.findIndex(
        (candidate, index) => index >= at && sameBut(candidate, line, text.split('\n').length > 2),
      );
      if (found !== -1) at = found;
      return found === -1;
    });
    expect(lost).toEqual([]);
    expect(after.includes('\r\n')).toBe(text.includes('\r\n'));
    const odd = after.split('\n').filter((line) => line.endsWith('\r') !== text.includes('\r\n'));
    expect(odd.length).toBeLessThanOrEqual(text.includes('\r\n') ? 1 : 0);
    expect(after.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'));
  });

  test('a second time changes nothing, another entry replaces it', () => {
    const once = putEntry(text, place, ENTRY).text;

    expect(putEntry(once, place, ENTRY).text).toBe(once);
    const changed = putEntry(once, place, { ...ENTRY, timeout: 61 });
    expect(changed.before).toEqual(ENTRY);
    expect(readEntry(changed.text, place)).toEqual({ ...ENTRY, timeout: 61 });
    expect(putEntry(changed.text, place, ENTRY).text).toBe(once);
  });

  test('comes out again', () => {
    const { text: after, added } = putEntry(text, place, ENTRY);

    const left = dropEntry(after, place, added);

    expect(reshaped ? parseWith(format, left) : left).toEqual(reshaped ? emptied(format, text) : text);
    expect(dropEntry(left, place)).toBe(left);
  });
});

/** A key without a value and an empty map hold the same. */
function emptied(format: KeptFormat, text: string): unknown {
  const value: unknown = parseWith(format, text);
  return JSON.parse(JSON.stringify(value, (_key, inner: unknown) => inner ?? {}));
}

/** A comma more at the end or inside a one-line file is the one change a kept line may show. */
function sameBut(candidate: string, line: string, severalLines: boolean): boolean {
  if (candidate === line) return true;
  const plain = (text: string): string => text.replaceAll(',', '');
  return severalLines ? plain(candidate) === plain(line) : candidate.startsWith(line.slice(0, 8));
}

test.each(['', '\n', '  \r\n', '\uFEFF'])('a blank file %j becomes a file with the entry', (text) => {
  for (const format of ['json', 'toml', 'yaml'] as const) {
    const { text: after, added } = putEntry(text, placeIn(format), ENTRY);

    expect(parseWith(format, after)).toEqual({ [KEYS[format]]: { waymark: ENTRY } });
    expect(added).toBe(2);
    expect(after.endsWith('\n')).toBe(true);
  }
});

test.each([
  ...BROKEN_JSON.map((file) => ({ ...file, format: 'json' as const })),
  ...BROKEN_TOML.map((file) => ({ ...file, format: 'toml' as const })),
  ...BROKEN_YAML.map((file) => ({ ...file, format: 'yaml' as const })),
])('$format with $label is refused with line and column', ({ format, text, at }) => {
  const body = text.replaceAll('KEY', KEYS[format]);
  const where = at === 'KEY' ? '2:17' : at;

  expect(() => putEntry(body, placeIn(format), ENTRY)).toThrow(new RegExp(`^file:${where}`));
});

test.each([
  ['an inline table', 'mcp_servers = { a = { command = "a" } }\n'],
  ['a dotted entry of ours', 'mcp_servers.waymark.command = "x"\n'],
])('TOML with %s is left alone, with what to do', (_label, text) => {
  expect(() => putEntry(text, placeIn('toml'), ENTRY)).toThrow(
    expect.objectContaining({ code: 'bad_config', hint: expect.stringMatching(/waymark/) }),
  );
});

test('an entry between others comes out without a trace of it', () => {
  const text =
    '{\n  "mcpServers": {\n    "a": 1,\n    "waymark": { "command": "x" }, // ours\n    "b": 2\n  }\n}\n';

  expect(dropEntry(text, placeIn('json'))).toBe(
    '{\n  "mcpServers": {\n    "a": 1,\n     // ours\n    "b": 2\n  }\n}\n',
  );
});

test.each([
  ['YAML with an alias of nothing', 'yaml', 'a: *nothing\n'],
  ['YAML nested beyond the stack', 'yaml', `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`],
  ['TOML nested beyond the stack', 'toml', `a = ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`],
  ['TOML with keys within keys beyond the stack', 'toml', `[${'a.'.repeat(4_000)}a]\n`],
  ['YAML with blank lines that take the parser seconds', 'yaml', `a: 1\n${'\n'.repeat(40_000)}b: 2\n`],
  ['JSON nested beyond the stack', 'json', `{"a": ${'['.repeat(20_000)}${']'.repeat(20_000)}}\n`],
] as const)('%s is refused in our own words', (_label, format, text) => {
  expect(() => putEntry(text, placeIn(format), ENTRY)).toThrow(
    expect.objectContaining({ code: 'bad_config', hint: expect.any(String) }),
  );
});

test('a YAML map whose keys are lists is edited without a word on standard error', async () => {
  const said: string[] = [];
  const hear = ({ message }: Error): void => void said.push(message);
  process.on('warning', hear);
  onTestFinished(() => void process.off('warning', hear));

  const { text } = putEntry('? [a, b]\n: c\n', placeIn('yaml'), ENTRY);
  readEntry(text, placeIn('yaml'));
  await nextTurn();

  expect(said).toEqual([]);
});
