/** What hooks of clients hand over: one checkpoint per session, revised as it goes on, and drafts of fixes that expire unless they help. */
import type { MemoryEntry } from '../storage/index.ts';
import { gate } from './admit-entry.ts';
import { expireDrafts, NEW_DRAFT } from './draft-fix.ts';
import { normaliseError } from './entry-keys.ts';
import { cutToLimit, MOST_FILES } from './entry-text.ts';
import { editEntry } from './manage.ts';
import type { Author } from './make-entry.ts';
import type { Memory } from './memory.ts';

export interface Capture {
  /** What the client calls the session; the same one is captured into the same checkpoint. */
  readonly session: string;
  readonly name: string;
  readonly text: string;
  /** Files that were touched, as the caller of the hook names them. */
  readonly files: readonly string[];
  readonly fixes: readonly CapturedFix[];
  /** The text together with what was captured before: where only the end of a long session could be read. */
  readonly mergedWith?: ((earlier: string) => string) | undefined;
  /** When the session was read. What was read earlier never takes the place of what was read later. */
  readonly readAt: number;
}

export interface CapturedFix {
  readonly error: string;
  readonly solution: string;
  readonly files: readonly string[];
}

export interface Captured {
  /** Undefined if a person or an agent has taken the entry over, or deleted it. */
  readonly checkpoint: MemoryEntry | undefined;
  readonly fixes: readonly MemoryEntry[];
  readonly expired: number;
}

/** Less than what was saved on purpose. */
const DRAFT_CONFIDENCE = 0.3;
/** The field of a captured checkpoint that says when its session was read. */
const READ_AT = 'read_at';

export async function saveCapture(
  memory: Memory,
  root: string,
  author: Author,
  capture: Capture,
): Promise<Captured> {
  const { session, fixes } = capture;
  const key = `capture ${author.client} ${session}`;
  const checkpoint = await saveCheckpoint(memory, root, author, { ...capture, key });
  const store = await memory.storeOf(root);
  const saved: MemoryEntry[] = [];
  for (const { error, solution, files } of fixes) {
    const { fingerprint } = normaliseError(gate.clean(error));
    const known = fingerprint === undefined ? [] : await store.byFingerprint(fingerprint, 1);
    if (known.length > 0) continue;
    const { entry, repeated } = await memory.save(
      root,
      author,
      {
        kind: 'remediation',
        content: cutToLimit('solution', solution),
        fields: { error: cutToLimit('error', error), ...NEW_DRAFT },
        files,
        confidence: DRAFT_CONFIDENCE,
      },
      { saveKey: `${key} ${fingerprint ?? error}` },
    );
    if (!repeated) saved.push(entry);
  }
  return { checkpoint, fixes: saved, expired: await expireDrafts(store, memory.clock.now()) };
}

async function saveCheckpoint(
  memory: Memory,
  root: string,
  author: Author,
  { key, name, text, files, readAt, mergedWith }: Capture & { readonly key: string },
): Promise<MemoryEntry | undefined> {
  const content = cutToLimit('content', text);
  const fields = { [READ_AT]: String(readAt) };
  const summary = summaryOf(content);
  const draft = {
    kind: 'checkpoint',
    name: cutToLimit('name', name),
    summary,
    content,
    files,
    fields,
  } as const;
  const { entry, repeated } = await memory.save(root, author, draft, { saveKey: key });
  if (!repeated) return entry;
  const known = await memory.get(root, entry.id);
  if (known.deletedAt !== undefined || !isCaptured(known.entry)) return undefined;
  if (known.entry.content === gate.clean(content)) return known.entry;
  return editEntry(
    memory,
    root,
    author,
    entry.id,
    (old) => {
      if (mergedWith === undefined) return { summary, content, files, fields };
      const merged = cutToLimit('content', mergedWith(old.content));
      const all = new Set([...old.files.map(({ path }) => path), ...files]);
      return { summary: summaryOf(merged), content: merged, files: [...all].slice(-MOST_FILES), fields };
    },
    (old) => !isCaptured(old) || Number(old.fields[READ_AT] ?? 0) >= readAt,
  );
}

const MOST_SUMMARY_LINES = 2;
const MOST_SUMMARY_CHARS = 300;

/** What was asked and what it came to: headings say nothing. */
function summaryOf(content: string): string {
  const lines = content.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('## '));
  return lines
    .slice(0, MOST_SUMMARY_LINES)
    .map((line) => line.replace(/^- /, ''))
    .join(' · ')
    .slice(0, MOST_SUMMARY_CHARS);
}

function isCaptured({ provenance }: MemoryEntry): boolean {
  return provenance.origin === 'captured';
}
