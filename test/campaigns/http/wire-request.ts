/** One HTTP request as bytes: well-formed whatever its values are, so that an answer can be demanded. */
import type { Random } from './seeded-random.ts';

export interface WireRequest {
  readonly verb: string;
  readonly target: string;
  readonly version: '1.0' | '1.1';
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  readonly framing: 'length' | 'chunked';
}

/** Header values keep what the grammar allows; anything else would end the header and not be a value any more. */
export function renderRequest(request: WireRequest, random: Random): Buffer {
  const { verb, target, version, headers, body, framing } = request;
  const chunked = framing === 'chunked' && version === '1.1';
  const lines = [
    `${verb} ${target.replaceAll(/[^\x21-\x7e]/g, '') || '/'} HTTP/${version}`,
    ...headers.map(([name, value]) => `${name}: ${value.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '')}`),
    chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`,
  ];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return Buffer.concat([head, chunked ? renderChunks(body, random) : body]);
}

function renderChunks(body: Buffer, random: Random): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const piece = body.subarray(at, at + 1 + random.below(400));
    const extension = random.chance(0.1) ? ';name=value' : '';
    parts.push(
      Buffer.from(`${piece.length.toString(16)}${extension}\r\n`),
      Buffer.from(piece),
      Buffer.from('\r\n'),
    );
    at += piece.length;
  }
  const trailer = random.chance(0.1) ? 'X-Trailer: yes\r\n' : '';
  return Buffer.concat([...parts, Buffer.from(`0\r\n${trailer}\r\n`)]);
}
