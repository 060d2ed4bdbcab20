/** What a session of another program tells: its transcript, read without trust, becomes what is worth remembering. Pure. */
export { readSession, TRANSCRIPT_FORMATS, type TranscriptFormat } from './read-session.ts';
export type { Session, Step } from './session.ts';
export { digestSession, type Mended, type SessionDigest } from './digest-session.ts';
export { toCheckpointText, toFixText, withEarlier } from './digest-text.ts';
