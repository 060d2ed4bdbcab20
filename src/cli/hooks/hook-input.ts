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
}

const MOST_ID_CHARS = 200;

export function parseHookInput(text: string): HookInput {
  const fields = toFields(text);
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
  };
}

function toFields(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
