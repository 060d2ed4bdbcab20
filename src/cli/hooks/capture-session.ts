/** The end of a session, or the moment before its compaction: its transcript becomes a checkpoint, and drafts of fixes. */
import { posix, sep } from 'node:path';
import {
  digestSession,
  readSession,
  toCheckpointText,
  toFixText,
  withEarlier,
  type SessionDigest,
} from '../../capture/index.ts';
import type { HookClient, Places } from '../../clients/index.ts';
import type { Capture, Memory } from '../../memory/index.ts';
import { readEndOfFile } from '../../platform/index.ts';
import type { HookInput } from './hook-input.ts';

/** Of a longer transcript the end is read, and added to what was captured before. */
const MOST_TRANSCRIPT_BYTES = 24 * 1024 * 1024;
const MOST_NAME_CHARS = 80;

interface CaptureParts {
  readonly memory: Memory;
  readonly root: string;
  readonly places: Places;
  readonly readAt: number;
}

/** Undefined if there is nothing to keep, or no transcript of the client's own. */
export function readCapture(
  client: HookClient,
  input: HookInput,
  { memory, root, places, readAt }: CaptureParts,
): Capture | undefined {
  const { transcript, session = transcript, lines, isEnd = false } = input;
  if (session === undefined) return undefined;
  const read =
    client.sends === 'lines' && lines !== undefined
      ? { text: lines, isWhole: !isEnd }
      : transcript === undefined
        ? undefined
        : readEndOfFile(transcript, { within: client.folder(places), maxBytes: MOST_TRANSCRIPT_BYTES });
  const digest = read === undefined ? undefined : digestSession(readSession(client.id, read.text));
  if (digest === undefined) return undefined;
  const place = memory.placeOf(root);
  const top = place.root;
  const found = toCapture(digest, { session, top, folder: posix.join('/', place.folder).slice(1) });
  const mergedWith = (earlier: string): string => withEarlier(earlier, found.text);
  return { ...found, readAt, mergedWith: read?.isWhole === false ? mergedWith : undefined };
}

interface Place {
  readonly session: string;
  /** The top of the working tree: paths are named from there. */
  readonly top: string;
  readonly folder: string;
}

function toCapture(digest: SessionDigest, place: Place): Omit<Capture, 'readAt'> {
  const plain = (text: string): string => text.replaceAll(`${place.top}${sep}`, '');
  const files = ofProject(digest.paths, place);
  const text = plain(toCheckpointText({ ...digest, paths: files }));
  return {
    session: place.session,
    name: plain(firstLine(digest.asked) || firstLine(digest.conclusion)).slice(0, MOST_NAME_CHARS),
    text,
    files,
    fixes: digest.mended.map((mended) => ({
      error: plain(mended.error),
      solution: plain(toFixText(mended)),
      files: ofProject(mended.paths, place),
    })),
  };
}

/** Paths within the working tree, from its top; a client may name them from the folder it was started in. */
function ofProject(paths: readonly string[], { top, folder }: Place): readonly string[] {
  const within = paths.flatMap((path) => {
    const plain = path.replaceAll('\\', '/');
    const base = `${top.replaceAll('\\', '/')}/`;
    if (plain.startsWith(base)) return [posix.normalize(plain.slice(base.length))];
    const isAway = plain.startsWith('/') || /^[A-Za-z]:/.test(plain) || plain.startsWith('~');
    return isAway ? [] : [posix.normalize(posix.join(folder, plain))];
  });
  return [...new Set(within.filter((path) => path !== '' && !path.startsWith('..')))];
}

function firstLine(text: string): string {
  return (
    text
      .split('\n')
      .find((line) => /[\p{L}\p{N}]/u.test(line))
      ?.trim() ?? ''
  );
}
