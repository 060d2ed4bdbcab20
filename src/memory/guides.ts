/** Guides: documents by category, from the repository and from the memory, and collections of them. */
import { AppError } from '../core/index.ts';
import { gate } from './admit-entry.ts';
import type { Memory } from './memory.ts';
import type { Author } from './make-entry.ts';

export interface GuideDocument {
  readonly category: string;
  readonly name: string;
  readonly text: string;
  /** Whose words these are. */
  readonly origin: 'repository' | 'memory';
}

export interface Collection {
  readonly name: string;
  readonly description: string;
  readonly expressions: readonly string[];
}

const MOST = 1_000;

/** A document in the memory is named `category/name`; it wins over the repository's of the same name. */
export async function listGuides(memory: Memory, root: string): Promise<readonly GuideDocument[]> {
  const stored = await memory.list(root, { kinds: ['guide'], limit: MOST });
  const documents = new Map<string, GuideDocument>();
  for (const guide of memory.around.readGuides(root)) {
    // A guide of the memory was cleaned when it was saved; this one is a file.
    const category = gate.clean(guide.category);
    const name = gate.clean(guide.name);
    const text = gate.clean(guide.text);
    documents.set(`${category}/${name}`, { category, name, text, origin: 'repository' });
  }
  for (const { entry } of stored) {
    const [category = 'general', ...rest] = entry.name.split('/');
    const name = rest.join('/');
    documents.set(entry.name, {
      category: name === '' ? 'general' : category,
      name: name === '' ? entry.name : name,
      text: entry.content,
      origin: 'memory',
    });
  }
  return [...documents.values()].toSorted((a, b) =>
    `${a.category}/${a.name}`.localeCompare(`${b.category}/${b.name}`, 'en'),
  );
}

/** The documents whose `category/name` any of the patterns matches. */
export async function findGuides(
  memory: Memory,
  root: string,
  expressions: readonly string[],
): Promise<readonly GuideDocument[]> {
  const matches = memory.around.matcher(expressions);
  return (await listGuides(memory, root)).filter(({ category, name }) => matches(`${category}/${name}`));
}

export async function listCollections(memory: Memory, root: string): Promise<readonly Collection[]> {
  const stored = await memory.list(root, { kinds: ['collection'], limit: MOST });
  return stored.map(({ entry }) => ({
    name: entry.name,
    description: entry.summary,
    expressions: entry.content.split('\n'),
  }));
}

export async function createCollection(
  memory: Memory,
  root: string,
  author: Author,
  { name, description, expressions }: Collection,
): Promise<number> {
  const content = expressions.map((expression) => expression.replaceAll('\n', ' ')).join('\n');
  const { entry } = await memory.save(root, author, {
    kind: 'collection',
    name,
    summary: description,
    content,
  });
  return entry.version;
}

export async function deleteCollection(
  memory: Memory,
  root: string,
  name: string,
  by: string,
): Promise<void> {
  const store = await memory.storeOf(root);
  const stored = await store.list({ kinds: ['collection'], limit: MOST });
  const found = stored.find(({ entry }) => entry.name === name);
  if (found === undefined) throw noCollection(name);
  await store.remove([found.entry.id], by);
}

export function noCollection(name: string): AppError {
  return new AppError('not_found', `There is no collection ${JSON.stringify(name)}.`, {
    hint: 'Call collection_list to see their names.',
  });
}
