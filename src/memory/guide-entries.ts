/** The guides of a repository, in a form that is ranked beside stored entries. Their keys are made once per text. */
import { join } from 'node:path';
import type { MemoryEntry } from '../storage/index.ts';
import { gate } from './admit-entry.ts';
import { createKeyMaker, type Encoder } from './entry-keys.ts';
import type { GuideText, Surroundings } from './make-entry.ts';
import type { Beside } from './recall.ts';

/** Where a repository has them; their path is what a reader opens. */
const FOLDER = '.waymark/guides';

export function createGuideEntries(
  around: Pick<Surroundings, 'readGuides'>,
): (root: string, encoder: Encoder | undefined) => readonly Beside[] {
  const kept = new Map<string, { readonly text: string; readonly beside: Beside }>();
  return (root, encoder) =>
    around.readGuides(root).map((guide) => {
      const key = join(root, pathOf(guide));
      const known = kept.get(key);
      if (known?.text === guide.text) return known.beside;
      const { entry } = gate.admit(toEntry(root, guide));
      const { title, body, vector } = createKeyMaker(encoder).keysOf(entry);
      const beside = { entry, vector, words: new Set(`${title} ${body}`.split(' ')) };
      kept.set(key, { text: guide.text, beside });
      return beside;
    });
}

function pathOf({ category, name }: GuideText): string {
  return `${FOLDER}/${category}/${name}.md`;
}

function toEntry(root: string, guide: GuideText): MemoryEntry {
  const path = pathOf(guide);
  return {
    id: path,
    kind: 'guide',
    name: `${guide.category}/${guide.name}`,
    summary: '',
    content: guide.text,
    tags: [],
    fields: {},
    metadata: {},
    files: [],
    flags: [],
    confidence: 0.5,
    tokens: 0,
    provenance: {
      origin: 'imported',
      client: 'the repository',
      tool: '',
      user: '',
      project: root,
      source: path,
    },
    createdAt: 0,
    updatedAt: 0,
    version: 1,
  };
}
