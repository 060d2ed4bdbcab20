/** A transcript becomes a session, by the program that kept it. What cannot be read is passed over. */
import { readCodex } from './codex-transcript.ts';
import { readGemini, readMessages, readParts } from './message-transcript.ts';
import { type Fields, jsonLines, type Session } from './session.ts';

export const TRANSCRIPT_FORMATS = ['claude-code', 'codex', 'gemini-cli', 'cursor', 'opencode'] as const;
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

const READERS: Readonly<Record<TranscriptFormat, (records: readonly Fields[]) => Session>> = {
  'claude-code': readMessages,
  codex: readCodex,
  'gemini-cli': readGemini,
  cursor: readMessages,
  opencode: readParts,
};

export function readSession(format: TranscriptFormat, text: string): Session {
  return READERS[format](jsonLines(text));
}
