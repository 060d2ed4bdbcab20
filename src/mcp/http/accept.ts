/** What a client accepts, by its Accept header. Pure. */

export interface Accepted {
  readonly json: boolean;
  readonly stream: boolean;
}

const NOTHING: Accepted = { json: false, stream: false };

/** Ranges and parameters count; a range with q=0 is a refusal. */
export function parseAccept(header: string | undefined): Accepted {
  if (header === undefined) return NOTHING;
  let json = false;
  let stream = false;
  for (const part of header.split(',')) {
    const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    if (parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) continue;
    json ||= range === 'application/json' || range === 'application/*' || range === '*/*';
    stream ||= range === 'text/event-stream' || range === 'text/*' || range === '*/*';
  }
  return { json, stream };
}
