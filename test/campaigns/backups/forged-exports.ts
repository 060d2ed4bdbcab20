/** Changes to a real export: bytes, lines and values as no export writes them. */
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../http/seeded-random.ts';

export interface ExportChange {
  readonly name: string;
  /** Changes one file; `others` are the rest of the export. */
  act(absPath: string, random: Random): void;
}

const FIELDS = [
  'waymark',
  'id',
  'kind',
  'name',
  'summary',
  'tags',
  'fields',
  'metadata',
  'files',
  'confidence',
  'provenance',
  'created_at',
  'updated_at',
  'version',
] as const;

const VALUES = [
  '9e15',
  '-1',
  '1.5',
  '1e999',
  'null',
  'true',
  '"x"',
  '[]',
  '{}',
  '[null]',
  '{"a":1}',
  '"../../etc/passwd"',
  '"spell"',
  '{no json',
  '99999999999999999999',
  '[{"path":1}]',
  `"${'y'.repeat(70_000)}"`,
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`,
  '"\\u0000\\ud800"',
] as const;

export const EXPORT_CHANGES: readonly ExportChange[] = [
  {
    name: 'another value of a field',
    act(absPath, random) {
      const field = FIELDS[random.below(FIELDS.length)] ?? 'id';
      const value = VALUES[random.below(VALUES.length)] ?? 'null';
      const text = readFileSync(absPath, 'utf8');
      writeFileSync(
        absPath,
        text.replace(new RegExp(`^${field}: .*$`, 'm'), () => `${field}: ${value}`),
      );
    },
  },
  {
    name: 'a field is missing',
    act(absPath, random) {
      const field = FIELDS[random.below(FIELDS.length)] ?? 'id';
      const text = readFileSync(absPath, 'utf8');
      writeFileSync(absPath, text.replace(new RegExp(`^${field}: .*\n`, 'm'), ''));
    },
  },
  {
    name: 'flipped bits',
    act(absPath, random) {
      const bytes = readFileSync(absPath);
      for (let count = 1 + random.below(8); count > 0; count--) {
        const at = random.below(bytes.length);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
      }
      writeFileSync(absPath, bytes);
    },
  },
  {
    name: 'cut short',
    act: (absPath, random) => truncateSync(absPath, random.below(readFileSync(absPath).length)),
  },
  {
    name: 'noise',
    act: (absPath, random) =>
      writeFileSync(absPath, Buffer.from(Array.from({ length: 500 }, () => random.below(256)))),
  },
  { name: 'emptied', act: (absPath) => writeFileSync(absPath, '') },
  {
    name: 'three megabytes',
    act: (absPath) =>
      writeFileSync(absPath, `${readFileSync(absPath, 'utf8')}${'z'.repeat(3 * 1024 * 1024)}`),
  },
  {
    name: 'a second file of the same id',
    act: (absPath) =>
      writeFileSync(join(absPath, '..', 'twin.md'), `${readFileSync(absPath, 'utf8')}another text`),
  },
  {
    name: 'a skill without a text beside it',
    act: (absPath) =>
      writeFileSync(join(absPath, '..', 'SKILL.md'), '---\nname: empty\ndescription: none\n---\n'),
  },
  { name: 'removed', act: (absPath) => rmSync(absPath) },
];
