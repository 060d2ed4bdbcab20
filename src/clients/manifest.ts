/** What setup wrote, so that uninstall takes out that and nothing else. Kept in the data directory, with the originals. */
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { AppError } from '../core/index.ts';
import { ensurePrivateDir, pathFacts, readEditable, replaceEditable, type Ids } from '../platform/index.ts';
import { SCOPES } from './client.ts';

const writtenFile = z.object({
  client: z.string(),
  scope: z.enum(SCOPES),
  absPath: z.string(),
  /** The entry as it was written. */
  entry: z.record(z.string(), z.unknown()),
  /** Of the file as setup left it. */
  digest: z.string(),
  /** How many keys of the entry's path were new. */
  added: z.number(),
  /** How to bring an unchanged file back; `edit`: only by taking the entry out. */
  restore: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('backup'), digest: z.string() }),
    z.object({ kind: z.literal('remove'), folders: z.array(z.string()) }),
    z.object({ kind: z.literal('edit') }),
  ]),
});

const manifest = z.object({ version: z.literal(1), files: z.array(writtenFile) });

export type WrittenFile = Readonly<z.infer<typeof writtenFile>>;
interface Manifest {
  readonly version: 1;
  readonly files: readonly WrittenFile[];
}

export interface ManifestStore {
  read(): Manifest;
  write(files: readonly WrittenFile[]): void;
  /** Keeps a file as it was; returns its digest, which is also its name. */
  keep(bytes: Uint8Array): string;
  /** A file that was kept; undefined if it is gone or not what it was. */
  kept(digest: string): Uint8Array | undefined;
}

export function openManifest(dataDir: string, ids: Ids): ManifestStore {
  const folder = join(dataDir, 'setup');
  const file = join(folder, 'manifest.json');
  const backup = (digest: string): string => join(folder, 'backups', digest);
  return {
    read() {
      refuseForeign(file);
      const { bytes } = readEditable(file);
      if (bytes === undefined) return { version: 1, files: [] };
      try {
        return manifest.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
      } catch (cause) {
        throw new AppError('file_unavailable', `${file} cannot be understood.`, {
          hint: 'Move it away; then take the entries out of the clients by hand.',
          cause,
        });
      }
    },
    write(files) {
      ensurePrivateDir(folder);
      const text = `${JSON.stringify({ version: 1, files }, null, 2)}\n`;
      replaceEditable(readEditable(file), Buffer.from(text), ids);
    },
    keep(bytes) {
      const digest = digestOf(bytes);
      ensurePrivateDir(join(folder, 'backups'));
      const place = readEditable(backup(digest));
      if (place.bytes === undefined) replaceEditable(place, bytes, ids);
      return digest;
    },
    kept(digest) {
      const { bytes } = readEditable(backup(digest));
      return bytes !== undefined && digestOf(bytes) === digest ? bytes : undefined;
    },
  };
}

/** The manifest names the files to remove, so one that another user wrote must not be followed. */
function refuseForeign(file: string): void {
  for (const absPath of [dirname(file), file]) {
    const facts = pathFacts(absPath);
    if (facts === undefined || facts.isOurs) continue;
    throw new AppError('file_unavailable', `${absPath} belongs to another user and is not believed.`, {
      hint: 'Run this as the user who ran `waymark setup`, or move it away.',
    });
  }
}

/** Whether a text is such a list. */
export function isManifest(text: string | undefined): boolean {
  try {
    return manifest.safeParse(JSON.parse(text ?? '')).success;
  } catch {
    return false;
  }
}

export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
