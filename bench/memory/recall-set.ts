/** The committed recall set, and a memory filled with it. */
import { readFileSync } from 'node:fs';
import type { EntryDraft } from '../../src/memory/index.ts';

export const CLASSES = ['changed', 'half', 'topic'] as const;
export type QueryClass = (typeof CLASSES)[number];

export interface RecallQuestion {
  readonly class: QueryClass;
  readonly q: string;
  readonly want: readonly string[];
}

type Fields = Readonly<Record<string, string>>;

function readLines<Line>(name: string): readonly Line[] {
  const text = readFileSync(new URL(name, folder()), 'utf8').trim();
  // Our own committed lines; the test of the set looks at their shape.
  return text.split('\n').map((line) => JSON.parse(line) as Line);
}

/** Benchmarks and tests are started in the repository. */
function folder(): URL {
  return new URL(`file://${process.cwd()}/bench/recall/`);
}

export function readQuestions(): readonly RecallQuestion[] {
  return readLines<RecallQuestion>('queries.jsonl');
}

/** Nonsense, small talk and questions of other projects: no entry answers them. */
export function readForeignQuestions(): readonly string[] {
  return readFileSync(new URL('foreign.txt', folder()), 'utf8').trim().split('\n');
}

/** By the id the questions use. */
export function readDrafts(): ReadonlyMap<string, EntryDraft> {
  const drafts = new Map<string, EntryDraft>();
  for (const { id = '', error = '', cause = '', fix = '' } of readLines<Fields>('remediations.jsonl'))
    drafts.set(id, { kind: 'remediation', content: fix, fields: { error, cause } });
  for (const { id = '', name = '', summary = '', content = '' } of readLines<Fields>('checkpoints.jsonl'))
    drafts.set(id, { kind: 'checkpoint', name, summary, content });
  for (const { id = '', name = '', when = '', content = '' } of readLines<Fields>('skills.jsonl'))
    drafts.set(id, { kind: 'skill', name, summary: when, content, fields: { when } });
  return drafts;
}
