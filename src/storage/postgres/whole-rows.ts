/** All that an index holds of its files, for an index elsewhere. */
import type { RowStamp, WholeFile } from '../index-store.ts';
import type { Queries } from './database.ts';
import { bytesColumn, numberColumn, optionalText, type Row, textColumn } from './driver.ts';
import { FILES, toManifestEntry, type TreeId } from './index-rows.ts';

type Reader = Pick<Queries, 'all'>;

export async function readRowStamps(reader: Reader, { tenant, tree }: TreeId): Promise<readonly RowStamp[]> {
  const rows = await reader.all(
    `SELECT f.path, f.size_bytes, f.mtime_ms, c.hash, c.analysis, c.parser, c.failure FROM ${FILES} ORDER BY f.path`,
    tenant,
    tree,
  );
  return rows.map(toStamp);
}

export async function readWholeFiles(
  reader: Reader,
  { tenant, tree }: TreeId,
  paths: readonly string[],
): Promise<readonly WholeFile[]> {
  const rows = await reader.all(
    `SELECT f.path, f.size_bytes, f.mtime_ms, c.hash, c.analysis, c.parser, c.failure, c.error_share, c.language, c.lines,
       c.plain_by, c.chunks, c.definitions, c.model, c.dimensions, c.terms, c.trigrams, c.vectors, c.outline, c.facts
     FROM ${FILES} AND f.path = ANY ($3::text[])`,
    tenant,
    tree,
    paths,
  );
  return rows.map(toWholeFile);
}

function toStamp(row: Row): RowStamp {
  return {
    ...toManifestEntry(row),
    parser: optionalText(row, 'parser'),
    failure: optionalText(row, 'failure'),
  };
}

function toWholeFile(row: Row): WholeFile {
  const { parser, failure, ...stamp } = toStamp(row);
  const bytes = (column: string): Uint8Array | undefined =>
    row[column] === null ? undefined : bytesColumn(row, column);
  const [vectors, outline] = [bytes('vectors'), bytes('outline')];
  return {
    ...stamp,
    language: textColumn(row, 'language'),
    lines: numberColumn(row, 'lines'),
    plainBy: numberColumn(row, 'plain_by'),
    chunks: numberColumn(row, 'chunks'),
    definitions: numberColumn(row, 'definitions'),
    outline: outline && new TextDecoder().decode(outline),
    terms: bytesColumn(row, 'terms'),
    trigrams: bytesColumn(row, 'trigrams'),
    vectors: vectors && {
      model: textColumn(row, 'model'),
      dimensions: numberColumn(row, 'dimensions'),
      packed: vectors,
    },
    parsed:
      parser === undefined
        ? undefined
        : { note: { parser, failure, errorShare: numberColumn(row, 'error_share') }, facts: bytes('facts') },
  };
}
