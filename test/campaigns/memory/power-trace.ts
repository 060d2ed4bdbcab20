/**
 * What a disk may hold after the power fails, from a trace of the calls a process made. Written and not yet synced pieces
 * may be there, missing or torn, in any order; what was synced is there. Names of files are there once the file or its
 * directory was synced, and may be missing before.
 */
export type TraceEvent =
  | { readonly kind: 'write'; readonly path: string; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly path: string; readonly size: number }
  | { readonly kind: 'sync'; readonly path: string }
  | { readonly kind: 'unlink'; readonly path: string }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  | { readonly kind: 'said'; readonly line: string };

const CALL = /^(?:\d+\s+)?(\w+)\((.*)\)\s+=\s+(-?\d+)/s;
const UNFINISHED = /^(\d+)\s+(.*) <unfinished \.\.\.>$/;
const RESUMED = /^(\d+)\s+<\.\.\. \w+ resumed>(.*)$/;

/** Reads the output of `strace -f -xx`. */
export function* parseTrace(lines: Iterable<string>): Iterable<TraceEvent> {
  const open = new Map<string, string>();
  const unfinished = new Map<string, string>();
  for (const line of lines) {
    const begun = UNFINISHED.exec(line);
    if (begun !== null) {
      unfinished.set(begun[1] ?? '', `${begun[1]} ${begun[2]}`);
      continue;
    }
    const resumed = RESUMED.exec(line);
    const whole = resumed === null ? line : `${unfinished.get(resumed[1] ?? '') ?? ''}${resumed[2]}`;
    const call = CALL.exec(whole);
    if (call === null || call[3]?.startsWith('-') === true) continue;
    yield* toEvents(call[1] ?? '', call[2] ?? '', call[3] ?? '', open);
  }
}

function* toEvents(
  name: string,
  args: string,
  result: string,
  open: Map<string, string>,
): Iterable<TraceEvent> {
  const fd = /^\d+/.exec(args)?.[0] ?? '';
  const path = open.get(fd);
  const texts = [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = '']) =>
    Buffer.from(hex.replaceAll('\\x', ''), 'hex'),
  );
  const numbers = args.split(', ').slice(1).map(Number);
  switch (name) {
    case 'openat':
      open.set(result, texts[0]?.toString() ?? '');
      return;
    case 'close':
      open.delete(fd);
      return;
    case 'pwrite64':
      if (path !== undefined)
        yield { kind: 'write', path, at: numbers.at(-1) ?? 0, bytes: texts[0] ?? Buffer.alloc(0) };
      return;
    case 'write':
      if (fd === '1') yield { kind: 'said', line: texts[0]?.toString().trim() ?? '' };
      return;
    case 'ftruncate':
      if (path !== undefined) yield { kind: 'truncate', path, size: numbers[0] ?? 0 };
      return;
    case 'fsync':
    case 'fdatasync':
      if (path !== undefined) yield { kind: 'sync', path };
      return;
    case 'unlink':
      yield { kind: 'unlink', path: texts[0]?.toString() ?? '' };
      return;
    case 'rename':
      yield { kind: 'rename', from: texts[0]?.toString() ?? '', to: texts[1]?.toString() ?? '' };
      return;
    default:
  }
}

const SECTOR = 512;

interface DiskFile {
  readonly durable: FileBytes;
  isNamed: boolean;
  pending: TraceEvent[];
}

/** A disk that obeys syncs and nothing else. */
export class LossyDisk {
  readonly #files = new Map<string, DiskFile>();

  apply(event: TraceEvent): void {
    switch (event.kind) {
      case 'said':
        return;
      case 'unlink':
        this.#files.delete(event.path);
        return;
      case 'rename': {
        const file = this.#files.get(event.from);
        if (file !== undefined) this.#files.set(event.to, file);
        this.#files.delete(event.from);
        return;
      }
      case 'sync':
        this.#sync(event.path);
        return;
      case 'write':
      case 'truncate':
        this.#file(event.path).pending.push(event);
    }
  }

  /** What is left after the power failed right now. */
  afterPowerLoss(random: () => number): ReadonlyMap<string, Buffer> {
    const left = new Map<string, Buffer>();
    for (const [path, { durable, pending, isNamed }] of this.#files) {
      if (!isNamed && random() < 0.5) continue;
      const bytes = durable.copy();
      for (const event of pending) applyTorn(bytes, event, random);
      left.set(path, bytes.view());
    }
    return left;
  }

  #sync(path: string): void {
    for (const [name, file] of this.#files) if (name.startsWith(`${path}/`)) file.isNamed = true;
    const file = this.#files.get(path);
    if (file === undefined) return;
    for (const event of file.pending) applyTorn(file.durable, event, () => 0);
    file.pending = [];
    file.isNamed = true;
  }

  #file(path: string): DiskFile {
    const known = this.#files.get(path) ?? {
      durable: new FileBytes(),
      isNamed: false,
      pending: [],
    };
    this.#files.set(path, known);
    return known;
  }
}

/** Each sector of a write reaches the disk or does not; a number below one half means it does. */
function applyTorn(bytes: FileBytes, event: TraceEvent, random: () => number): void {
  if (event.kind === 'truncate' && random() < 0.5) bytes.resize(event.size);
  if (event.kind !== 'write') return;
  for (let start = 0; start < event.bytes.length; start += SECTOR)
    if (random() < 0.5) bytes.write(event.at + start, event.bytes.subarray(start, start + SECTOR));
}

/** The content of a file, with room to grow: a copy of all for each sector would take most of the time. */
class FileBytes {
  #bytes: Buffer;
  #size: number;

  constructor(bytes = Buffer.alloc(0)) {
    this.#bytes = bytes;
    this.#size = bytes.length;
  }

  view(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }

  copy(): FileBytes {
    return new FileBytes(Buffer.from(this.view()));
  }

  write(at: number, piece: Buffer): void {
    if (at + piece.length > this.#size) this.resize(at + piece.length);
    piece.copy(this.#bytes, at);
  }

  /** What is added is zeros. */
  resize(size: number): void {
    if (size > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(size, 2 * this.#bytes.length));
      this.view().copy(larger);
      this.#bytes = larger;
    } else if (size > this.#size) this.#bytes.fill(0, this.#size, size);
    this.#size = size;
  }
}
