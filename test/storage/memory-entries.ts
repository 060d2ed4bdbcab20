/** Entries for tests of memory stores. */
import type { EntryKeys, KeyMaker, MemoryEntry, RecordGate } from '../../src/storage/index.ts';

export function makeEntry(id: string, more: Partial<MemoryEntry> = {}): MemoryEntry {
  return {
    id,
    kind: 'checkpoint',
    name: `name of ${id}`,
    summary: `summary of ${id}`,
    content: `content of ${id}`,
    tags: ['one'],
    fields: {},
    metadata: {},
    files: [],
    flags: [],
    confidence: 0.5,
    tokens: 10,
    provenance: { origin: 'agent', client: 'test 1', tool: 'checkpoint_save', user: 'me', project: '/p' },
    createdAt: 1000,
    updatedAt: 1000,
    version: 1,
    ...more,
  };
}

/** Lets everything in as it is. */
export const OPEN_GATE: RecordGate = {
  admit: (entry) => ({ entry, redacted: [] }),
  clean: (text) => text,
};

/** Keys without language: lower-case words, the error as fingerprint, the first letters as vector. */
export const PLAIN_KEYS: KeyMaker = {
  version: 'plain-1',
  keysOf(entry): EntryKeys {
    const words = (text: string): string => (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).join(' ');
    return {
      fingerprint: entry.fields['error'],
      title: words(entry.name),
      body: words(entry.content),
      vector: Int8Array.from([...entry.id].slice(0, 4), (letter) => letter.charCodeAt(0) & 0x7f),
    };
  },
};
