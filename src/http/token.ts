/** The bearer token, where one is required. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { errorReply, RPC, type Reply } from '../mcp/index.ts';

/** Compared as digests, so that neither the time nor the length tells how much of a guess was right. */
export function hasToken(authorization: string | undefined, token: string): boolean {
  const given = /^bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1];
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}

export function unauthorized(authorization: string | undefined): Reply {
  const problem = authorization === undefined ? '' : ', error="invalid_token"';
  return errorReply({
    status: 401,
    code: RPC.invalidRequest,
    message:
      'Unauthorized: send the header `Authorization: Bearer TOKEN`, with the token that the server was given, or else ' +
      'with the one that `waymark token` prints.',
    headers: { 'WWW-Authenticate': `Bearer realm="waymark"${problem}` },
  });
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
