/** Damages a JSON message in its bytes, its tokens or its structure. */
import type { Json } from './messages.ts';
import type { Random } from './seeded-random.ts';

const ODD_TOKENS: readonly [string, ...string[]] = [
  'null',
  'true',
  '-0',
  '1e999',
  '9007199254740993',
  '1.5',
  '-32603',
  '""',
  '"\\ud800"',
  '"\\u0000"',
  '"__proto__"',
  '"constructor"',
  '"../../../etc/passwd"',
  '[]',
  '{}',
  '[[[[[[[[]]]]]]]]',
  '{"__proto__":{"polluted":true}}',
  `"${'x'.repeat(5000)}"`,
  `${'['.repeat(70)}${']'.repeat(70)}`,
  'NaN',
  'undefined',
  ',',
  '//',
];

const ODD_VALUES: readonly [Json, ...Json[]] = [
  null,
  true,
  0,
  -1,
  1.5,
  Number.MAX_SAFE_INTEGER,
  1e308,
  '',
  'tools/call',
  'initialize',
  '2.0',
  '2026-07-28',
  '\ud800',
  'a\u0000b',
  '\u202eevil',
  'x'.repeat(20_000),
  [],
  {},
  [1, 2, 3],
  { name: 'project_status' },
  { id: 1, method: 'ping', jsonrpc: '2.0' },
  Array.from({ length: 300 }, (_, at) => at),
];

const ODD_KEYS: readonly [string, ...string[]] = [
  '__proto__',
  'constructor',
  'toString',
  '',
  'id',
  'method',
  'params',
  '_meta',
  'jsonrpc',
  'result',
  'error',
  'progressToken',
  'io.modelcontextprotocol/protocolVersion',
  'io.modelcontextprotocol/related-task',
];

export function mutateJson(value: Json, random: Random): Buffer {
  const level = random.below(10);
  if (level === 0) return mutateBytes(Buffer.from(JSON.stringify(value)), random);
  if (level <= 3) return Buffer.from(mutateTokens(JSON.stringify(value), random));
  if (level <= 8) {
    let changed = value;
    for (let round = random.below(3); round >= 0; round -= 1) changed = mutateStructure(changed, random);
    return Buffer.from(JSON.stringify(changed));
  }
  return reencode(JSON.stringify(value), random);
}

/** Flips, inserts, removes or repeats a few bytes anywhere. */
export function mutateBytes(bytes: Buffer, random: Random): Buffer {
  let changed = bytes;
  for (let round = random.below(4); round >= 0; round -= 1) {
    const at = random.below(changed.length + 1);
    const kind = random.below(4);
    const before = changed.subarray(0, at);
    if (kind === 0) changed = Buffer.concat([before, Buffer.from([random.below(256)]), changed.subarray(at)]);
    else if (kind === 1) changed = Buffer.concat([before, changed.subarray(at + 1 + random.below(8))]);
    else if (kind === 2) changed = Buffer.concat([before, changed.subarray(Math.max(0, at - 20))]);
    else {
      changed = Buffer.from(changed);
      if (at < changed.length) changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8));
    }
  }
  return changed;
}

function mutateTokens(text: string, random: Random): string {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g) ?? [text];
  const at = random.below(tokens.length);
  const kind = random.below(4);
  if (kind === 0) tokens.splice(at, 1);
  else if (kind === 1) tokens.splice(at, 0, random.pick(ODD_TOKENS));
  else if (kind === 2) tokens[at] = random.pick(ODD_TOKENS);
  else tokens[at] = tokens[random.below(tokens.length)] ?? '';
  return tokens.join('');
}

/** Walks to a random place and removes, replaces, adds or wraps what is there. */
function mutateStructure(value: Json, random: Random): Json {
  if (typeof value !== 'object' || value === null || random.chance(0.15)) return replacement(value, random);
  if (isList(value)) {
    if (value.length === 0) return [random.pick(ODD_VALUES)];
    const at = random.below(value.length);
    return value.map((item, index) => (index === at ? mutateStructure(item, random) : item));
  }
  const keys = Object.keys(value);
  const key = keys[random.below(keys.length)];
  if (key === undefined || random.chance(0.2)) {
    return withKey(value, random.pick(ODD_KEYS), random.pick(ODD_VALUES));
  }
  if (random.chance(0.25)) return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
  return withKey(value, key, mutateStructure(value[key] ?? null, random));
}

function replacement(value: Json, random: Random): Json {
  const kind = random.below(5);
  if (kind === 0) return [value];
  if (kind === 1) return { value };
  if (kind === 2) return [value, value];
  return random.pick(ODD_VALUES);
}

/** Through entries, because assigning `__proto__` would set no key. */
function withKey(value: { readonly [key: string]: Json }, key: string, to: Json): Json {
  const others = Object.entries(value).filter(([name]) => name !== key);
  return Object.fromEntries([...others, [key, to]]);
}

/** The same text as another editor would have saved it. */
function reencode(text: string, random: Random): Buffer {
  const kind = random.below(5);
  if (kind === 0) return Buffer.from(`\ufeff${text}`);
  if (kind === 1) return Buffer.from(text, 'utf16le');
  if (kind === 2) return Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe, 0x00])]);
  if (kind === 3) return Buffer.from(`${' \n\t'.repeat(random.below(500))}${text}\n\n`);
  return Buffer.from(text + text);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
