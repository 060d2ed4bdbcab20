/** Looks at a file before anything may change it: is it ours, and can this version read it? */
import { pathToFileURL } from 'node:url';
import { AppError } from '../../core/index.ts';
import { pathExists } from '../../platform/index.ts';
import { type Connection, type Driver, hasErrorCode, toStorageError } from './driver.ts';
import { newerSchema } from './migrate.ts';
import { SIDE_FILES } from './repair/quarantine.ts';

/** "WAYM", in the field SQLite reserves for telling file formats apart. */
export const APPLICATION_ID = 0x5741594d;

const IDENTITY = [
  '(SELECT application_id FROM pragma_application_id)',
  '(SELECT user_version FROM pragma_user_version)',
  '(SELECT count(*) FROM sqlite_schema)',
];

export interface StoreFile {
  readonly absPath: string;
  readonly name: string;
  readonly latestVersion: number;
}

export interface Identity {
  readonly applicationId: number;
  readonly version: number;
  readonly objectCount: number;
}

/**
 * Throws `storage_newer`, `storage_damaged` or, for another application's database, `storage_unavailable`.
 *
 * The first look takes the main file alone, as if it were on a read-only disk: SQLite then makes no side files and takes
 * no locks, so a file that is not ours to open stays exactly as it was. What it sees may be behind the write-ahead log,
 * and in the middle of a checkpoint it may look torn, so it only ever convicts, never acquits, and never says "damaged".
 * Where there are side files, the second look is a proper one that honours the log but cannot write. It fails where a killed creation left a rollback
 * journal, which only a writer may play back; the real opening will.
 */
export function inspect(driver: Driver, file: StoreFile): void {
  const mainFileAlone = `${pathToFileURL(file.absPath).href}?immutable=1`;
  const first = look(driver, mainFileAlone, file);
  if (first !== undefined && !hasErrorCode(first, 'storage_damaged')) throw first;
  // Left in order by the last that had it open, and the caller is its only opener: the main file is all there is.
  if (first === undefined && !SIDE_FILES.some((suffix) => pathExists(file.absPath + suffix))) return;
  const second = look(driver, file.absPath, file);
  if (second !== undefined) throw second;
}

/** What speaks against opening the file; other failures are left for the real opening to meet and report. */
function look(driver: Driver, location: string, file: StoreFile): AppError | undefined {
  try {
    judge(identityAt(driver, location), file);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown;
    const seen = toStorageError(thrown, file.name);
    return hasErrorCode(seen, 'storage_damaged') ? seen : undefined;
  }
}

/** Without a mark of ours, only a database with nothing in it may be taken. */
export function isUnclaimed(identity: Identity): boolean {
  return identity.applicationId === 0 && identity.version === 0 && identity.objectCount === 0;
}

export function judge(identity: Identity, file: StoreFile): void {
  if (identity.applicationId !== APPLICATION_ID && !isUnclaimed(identity)) throw foreignFile(file.absPath);
  if (identity.version > file.latestVersion) throw newerSchema(file.name);
}

export function readIdentity(connection: Connection): Identity {
  const [applicationId = 0, version = 0, objectCount = 0] = peekIntegers(connection, IDENTITY);
  return { applicationId, version, objectCount };
}

function identityAt(driver: Driver, location: string): Identity {
  const connection = driver.connect(location, { readOnly: true, timeout: 0 });
  try {
    return readIdentity(connection);
  } finally {
    connection.close();
  }
}

function foreignFile(absPath: string): AppError {
  return new AppError(
    'storage_unavailable',
    `${absPath} is a database of another application. It was left as it is.`,
    {
      hint: 'Move that file elsewhere, or choose another directory for Waymark.',
    },
  );
}

/** The values of these SQL expressions, without a prepared statement: so closing the connection really lets go of its file. */
export function peekIntegers(connection: Connection, expressions: readonly string[]): readonly number[] {
  let seen: readonly number[] | undefined;
  connection.function('waymark_peek', { varargs: true }, (...values) => {
    seen = values.map(Number);
    return null;
  });
  connection.exec(`SELECT waymark_peek(${expressions.join(', ')})`);
  if (seen?.length !== expressions.length)
    throw new AppError('internal', 'A query without conditions found no row.');
  return seen;
}

export const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';

export interface StoreHeader {
  readonly isOurs: boolean;
  readonly sizeBytes: number;
}

/** Undefined if the bytes do not begin a SQLite file. */
export function readHeader(head: Uint8Array): StoreHeader | undefined {
  if (
    head.length < HEADER_BYTES ||
    new TextDecoder('latin1').decode(head.subarray(0, MAGIC.length)) !== MAGIC
  )
    return undefined;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const stated = view.getUint16(16);
  return {
    isOurs: view.getUint32(68) === APPLICATION_ID,
    sizeBytes: view.getUint32(28) * (stated === 1 ? 65_536 : stated),
  };
}
