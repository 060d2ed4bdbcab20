/** What a client accepts, by its Accept header. Pure. */

export interface Accepted {
  readonly json: boolean;
  readonly stream: boolean;
  /** Whether there was such a header at all. */
  readonly said: boolean;
}

/** Ranges and parameters count. The range that fits a type most closely decides on it, and with q=0 it refuses it. */
export function parseAccept(header: string | undefined): Accepted {
  if (header === undefined) return { json: false, stream: false, said: false };
  const ranges = header.split(',').map(parseRange);
  return {
    json: accepts(ranges, ['application/json', 'application/*', '*/*']),
    stream: accepts(ranges, ['text/event-stream', 'text/*', '*/*']),
    said: true,
  };
}

interface Range {
  readonly name: string;
  readonly wanted: boolean;
}

function parseRange(part: string): Range {
  const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
  return { name, wanted: !parameters.some((parameter) => /^q\s*=\s*0(\.0*)?$/.test(parameter)) };
}

/** `names` go from the closest to the widest. */
function accepts(ranges: readonly Range[], names: readonly string[]): boolean {
  for (const name of names) {
    const closest = ranges.filter((range) => range.name === name);
    if (closest.length > 0) return closest.some(({ wanted }) => wanted);
  }
  return false;
}
