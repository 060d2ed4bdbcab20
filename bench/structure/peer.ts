/** What codegraph answers for the symbols of a truth: the uses that lead to the exact node in its database, its best case. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Codegraph } from '../index/codegraph.ts';
import type { SampledSymbol } from './truth.ts';

type Lines = [string, number][];

interface Row {
  readonly path: string;
  readonly line: number;
}

/** Of several nodes of the name around a line, the innermost. */
const NODE = `SELECT id FROM nodes WHERE file_path = ? AND name = ? AND start_line <= ? AND end_line >= ?
  AND kind NOT IN ('file', 'import') ORDER BY start_line DESC LIMIT 1`;
const USES = `SELECT source.file_path AS path, coalesce(edges.line, source.start_line) AS line
  FROM edges JOIN nodes AS source ON source.id = edges.source
  WHERE edges.target = ? AND edges.kind <> 'contains'`;

/** It writes into the folder that it indexes: that is a copy. */
export async function askCodegraph(
  codegraph: Codegraph,
  { root, temp, sample }: { root: string; temp: string; sample: readonly SampledSymbol[] },
): Promise<ReadonlyMap<string, Lines> | undefined> {
  const copy = join(temp, 'copy');
  cpSync(root, copy, { recursive: true, verbatimSymlinks: true });
  try {
    return await codegraph.read(copy, (path) => readAnswers(path, sample));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function readAnswers(path: string, sample: readonly SampledSymbol[]): ReadonlyMap<string, Lines> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const node = database.prepare(NODE);
    const uses = database.prepare(USES);
    return new Map(
      sample.map(({ id, name, defs }) => [
        id,
        defs.flatMap(({ file, line }): Lines => {
          // The statements name these columns.
          const found = node.get(file, name, line, line) as { id: string } | undefined;
          if (found === undefined) return [];
          // And these.
          return (uses.all(found.id) as unknown as Row[]).map((each) => [each.path, each.line]);
        }),
      ]),
    );
  } finally {
    database.close();
  }
}
