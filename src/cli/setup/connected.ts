import type { Handshake, PlannedFile } from '../../clients/index.ts';

/** What became of one client. */
export interface Connected {
  readonly planned: PlannedFile;
  readonly handshake?: Handshake;
}
