/** Rows of facts that were damaged: a file without facts, never an answer that fails half-way. */
import { fileURLToPath } from 'node:url';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { sharedRuntime } from '../../../test/support/grammar-runtime.ts';
import { createSyntax } from '../syntax/load-grammars.ts';
import { type FactRow, openRow, type OpenFacts, unpackFacts } from './unpack-facts.ts';

const SOURCE = `import { open as start } from './door.ts';
export interface Base<T> { name: string; run(times: number): T }
export class Shop implements Base<Shop> {
  readonly till = new Till();
  run(times: number): Shop { for (const each of this.till.items) start(each, times); return this; }
}
class Till { items: string[] = []; }
export * from './door.ts';
`;
const GRAMMARS = fileURLToPath(new URL('../../../dist/grammars', import.meta.url));

async function packedBytes(): Promise<Uint8Array> {
  const syntax = await createSyntax(GRAMMARS, sharedRuntime);
  const read = await syntax.read('typescript', SOURCE);
  if (!('facts' in read) || read.facts === undefined) throw new Error('The source has no facts.');
  return read.facts;
}

async function packed(): Promise<FactRow> {
  const row = openRow(await packedBytes());
  if (row === undefined) throw new Error('The facts cannot be read.');
  return row;
}

/** All that a file tells. */
function readAll({ definitions, scopes, uses }: OpenFacts): number {
  const inScopes = scopes.map(({ names, definition }) => names.size + Number(definition !== undefined));
  const inTypes = definitions.map(({ members, bases }) => members.size + bases.length);
  return [...inScopes, ...inTypes, uses().length].reduce((sum, each) => sum + each, 0);
}

test('R134 what is read of a file is what was packed, by name and as a whole', async () => {
  const facts = unpackFacts(await packed());

  expect(facts.definitionsNamed('run').map(({ owner, line }) => `${owner?.name}:${line}`)).toEqual([
    'Base:2',
    'Shop:5',
  ]);
  expect(facts.uses(new Set(['start', 'each'])).map(({ name, line }) => `${name}:${line}`)).toEqual(
    facts
      .uses()
      .filter(({ name }) => name === 'start' || name === 'each')
      .map(({ name, line }) => `${name}:${line}`),
  );
  expect(facts.definitionsNamed('nothing')).toEqual([]);
});

test('R134 a damaged row is refused when it is opened, or can be read to its end', async () => {
  const row = await packed();
  const body = inflateRawSync(row.rest);
  const outcomes = { refused: 0, read: 0 };

  for (let at = 0; at < body.length; at++)
    for (const change of [1, 64, 255]) {
      const damaged = Buffer.from(body);
      damaged[at] = (damaged[at] ?? 0) ^ change;
      let facts: OpenFacts | undefined;
      try {
        facts = unpackFacts({ ...row, rest: deflateRawSync(damaged) });
      } catch (thrown) {
        if (!(thrown instanceof RangeError)) throw thrown;
        outcomes.refused++;
      }
      if (facts !== undefined && readAll(facts) >= 0) outcomes.read++;
    }

  expect(outcomes.refused).toBeGreaterThan(0);
  expect(outcomes.read).toBeGreaterThan(0);
});

test('rows that are kept hold no more memory than their bytes: zlib gives its results in pieces of 16 KB', async () => {
  const bytes = await packedBytes();
  const rows = Array.from({ length: 500 }, () => openRow(bytes));

  const held = new Set(
    rows.flatMap((row) => (row === undefined ? [] : [row.names.buffer, row.hashes.buffer])),
  );
  const heldBytes = [...held].reduce((sum, { byteLength }) => sum + byteLength, 0);
  const ownBytes = rows.reduce(
    (sum, row) => sum + (row?.names.length ?? 0) + (row?.hashes.byteLength ?? 0),
    0,
  );
  expect(heldBytes).toBeLessThan(ownBytes * 1.5 + 64 * 1024);
});
