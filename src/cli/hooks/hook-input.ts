/** What a client's hook hands over on standard input: JSON that is believed in nothing but its shape. */
import { isAbsolute } from 'node:path';

export interface HookInput {
  /** What the client calls the session. */
  readonly session: string | undefined;
  /** The folder that the session works in. */
  readonly folder: string | undefined;
  /** What started the session, as the client says. */
  readonly source: string | undefined;
  readonly transcript: string | undefined;
  /** What the client calls the moment. */
  readonly event: string | undefined;
  /** What stands behind the first line: the transcript of a client that brings it along. */
  readonly lines?: string | undefined;
  /** These are the last of more. */
  readonly isEnd?: boolean | undefined;
}

const MOST_ID_CHARS = 200;
/** A hook that waits for its input in vain goes on without. */
export const INPUT_LIMITS = {
  bytes: { path: 1024 * 1024, lines: 24 * 1024 * 1024 },
  startMs: 100,
  captureMs: 2_000,
} as const;

const MOMENTS: Readonly<Record<string, 'turn' | 'compaction'>> = {
  stop: 'turn',
  afteragent: 'turn',
  precompact: 'compaction',
  precompress: 'compaction',
};

/** When a session is captured: behind a turn, before its compaction, or at its end. */
export function momentOf({ event = '' }: HookInput): 'turn' | 'compaction' | 'end' {
  return MOMENTS[event.toLowerCase()] ?? 'end';
}

/** A session that is resumed holds it all already. */
export function isTold({ source }: HookInput): boolean {
  return source !== 'resume';
}

export function parseHookInput(text: string): HookInput {
  const [head = ''] = text.split('\n', 1);
  const whole = toFields(text);
  const fields = whole ?? toFields(head) ?? {};
  const textOf = (name: string): string | undefined => {
    const value = fields[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const path = (value: string | undefined): string | undefined =>
    value !== undefined && isAbsolute(value) && !value.includes('\0') ? value : undefined;
  const [root] = Array.isArray(fields['workspace_roots']) ? fields['workspace_roots'] : [];
  return {
    session: (textOf('session_id') ?? textOf('conversation_id'))?.slice(0, MOST_ID_CHARS),
    folder: path(textOf('cwd')) ?? path(typeof root === 'string' ? root : undefined),
    source: textOf('source') ?? textOf('trigger') ?? textOf('reason'),
    transcript: path(textOf('transcript_path')),
    event: textOf('hook_event_name'),
    lines: whole === undefined ? text.slice(head.length + 1) : undefined,
    isEnd: fields['is_end'] === true,
  };
}

/** Undefined for what is no JSON. */
function toFields(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return undefined;
  }
}
