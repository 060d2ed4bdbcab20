/** A large memory: the recall set among entries that mix its words. */
import { createHash } from 'node:crypto';
import { gate, type EntryDraft } from '../../src/memory/index.ts';
import { systemClock } from '../../src/platform/index.ts';
import { createMemorySpaces, type KeyMaker, type MemoryEntry } from '../../src/storage/index.ts';
import { silentLogger } from '../../src/text/index.ts';

export interface FillOptions {
  readonly dataDir: string;
  /** Whose memory it is. */
  readonly identity: string;
  readonly keyMaker: KeyMaker;
  readonly entries: number;
  readonly drafts: readonly EntryDraft[];
}

const WORDS_PER_ENTRY = 60;
const KINDS = ['checkpoint', 'skill', 'remediation', 'fact', 'guide'] as const;

export async function fillUp({ dataDir, identity, keyMaker, entries, drafts }: FillOptions): Promise<void> {
  const spaces = createMemorySpaces({
    dataDir,
    keyMaker: () => keyMaker,
    gate,
    clock: systemClock,
    logger: silentLogger,
  });
  const space = await spaces.spaceOf(identity);
  const store = await spaces.open(space);
  const words = drafts.flatMap(({ content, fields = {} }) =>
    [content, ...Object.values(fields)].join(' ').split(/\s+/),
  );
  for (let index = 0; index < entries; index++)
    await store.save(
      index < drafts.length ? toEntry(index, drafts[index]) : toEntry(index, mixed(index, words)),
    );
  await spaces.close();
}

/** The same every time: the n-th entry takes every so-many-th word. */
function mixed(index: number, words: readonly string[]): EntryDraft {
  const digest = createHash('sha256').update(String(index)).digest();
  const pick = (at: number): string =>
    words[(digest.readUInt32LE((at % 7) * 4) + at * 7919) % words.length] ?? '';
  const content = Array.from({ length: WORDS_PER_ENTRY }, (_, at) => pick(at)).join(' ');
  const kind = KINDS[index % KINDS.length] ?? 'checkpoint';
  // A fix is found by its error, too.
  const fields = kind === 'remediation' ? { error: content.slice(0, 120) } : {};
  return { kind, name: `entry ${index}`, content, fields };
}

function toEntry(index: number, draft: EntryDraft | undefined): MemoryEntry {
  const { kind = 'checkpoint', name = '', summary = '', content = '', fields = {} } = draft ?? {};
  return {
    id: `e${index}`,
    kind,
    name,
    summary,
    content,
    tags: [],
    fields: Object.fromEntries(Object.entries(fields).map(([field, text]) => [field, text ?? ''])),
    metadata: {},
    files: [],
    flags: [],
    confidence: 0.5,
    tokens: 0,
    provenance: { origin: 'agent', client: 'bench', tool: 'bench', user: 'bench', project: '/bench' },
    createdAt: index,
    updatedAt: index,
    version: 1,
  };
}
