import { randomBytes, randomUUID } from 'node:crypto';

/** Unguessable names, from the machine's secure source. */
export interface Ids {
  uuid(): string;
  /** URL-safe text of this many random bytes. */
  token(bytes: number): string;
}

export const systemIds: Ids = {
  uuid: () => randomUUID(),
  token: (bytes) => randomBytes(bytes).toString('base64url'),
};
