/**
 * Sessions of clients that may still go on, each a small file in the data directory: where its transcript is, and when it was last
 * read. A session that is killed tells no end; the next hook of any session finds it here and reads what is new.
 */
import { createHash } from 'node:crypto';
import { isAbsolute, join } from 'node:path';
import {
  ensurePrivateDir,
  namesIn,
  pathFacts,
  readTextIfPresent,
  removeIfPresent,
  writePrivateText,
} from '../../platform/index.ts';

export interface OpenSession {
  readonly client: string;
  readonly session: string;
  readonly folder: string;
  readonly transcript: string;
  /** When its transcript was last read; 0 if it never was. */
  readonly readAt: number;
}

export interface OpenSessions {
  get(client: string, session: string): OpenSession | undefined;
  note(open: OpenSession): void;
  end(client: string, session: string): void;
  /** Those with something new in their transcripts. Sessions that were silent for long are forgotten. */
  waiting(now: number): readonly OpenSession[];
}

const FOLDER = 'sessions';
const MOST_BYTES = 16 * 1024;
const MOST_SESSIONS = 200;
const SILENT_MS = 14 * 24 * 3600 * 1000;

export function openSessionsIn(dataDir: string): OpenSessions {
  const folder = join(dataDir, FOLDER);
  const fileOf = (client: string, session: string): string =>
    join(folder, `${createHash('sha256').update(`${client}\0${session}`).digest('hex').slice(0, 16)}.json`);
  return {
    get: (client, session) => readSession(fileOf(client, session)),
    note(open) {
      ensurePrivateDir(folder);
      writePrivateText(fileOf(open.client, open.session), `${JSON.stringify({ session: 1, open })}\n`);
    },
    end: (client, session) => removeIfPresent(fileOf(client, session)),
    waiting(now) {
      return namesIn(folder)
        .slice(0, MOST_SESSIONS)
        .flatMap((name) => {
          const file = join(folder, name);
          const open = readSession(file);
          const changedAt = open && pathFacts(open.transcript)?.mtimeMs;
          const isSilent = (changedAt ?? pathFacts(file)?.mtimeMs ?? 0) < now - SILENT_MS;
          if (open !== undefined && isSilent) removeIfPresent(file);
          return open === undefined || changedAt === undefined || isSilent || changedAt <= open.readAt
            ? []
            : [open];
        });
    },
  };
}

/** Undefined for a file that is none of these. */
function readSession(file: string): OpenSession | undefined {
  try {
    const value: unknown = JSON.parse(readTextIfPresent(file, { maxBytes: MOST_BYTES }) ?? '');
    const open: unknown = Reflect.get(Object(value), 'open');
    const field = (name: string): unknown => Reflect.get(Object(open), name);
    const [client, session, folder, transcript] = ['client', 'session', 'folder', 'transcript'].map(field);
    const readAt = field('readAt');
    if (typeof client !== 'string' || typeof session !== 'string' || typeof readAt !== 'number')
      return undefined;
    if (typeof folder !== 'string' || typeof transcript !== 'string' || !isAbsolute(transcript))
      return undefined;
    return { client, session, folder, transcript, readAt };
  } catch {
    return undefined;
  }
}
