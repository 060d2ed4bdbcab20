import { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { createBrokenRequests } from './broken-request.ts';

/** A connection that keeps what is written to it. */
function connection(): { readonly socket: Duplex; readonly said: () => string } {
  let said = '';
  const socket = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      said += chunk.toString();
      done();
    },
  });
  return { socket, said: () => said };
}

const CASES = [
  { code: 'ERR_HTTP_REQUEST_TIMEOUT', status: 408, words: 'Request Timeout' },
  { code: 'HPE_HEADER_OVERFLOW', status: 431, words: 'Request Header Fields Too Large' },
  { code: 'HPE_CHUNK_EXTENSIONS_OVERFLOW', status: 413, words: 'Payload Too Large' },
  { code: 'HPE_INVALID_METHOD', status: 400, words: 'Bad Request' },
];

test.each(CASES)('$code is answered with $status, in the words of that status', ({ code, status, words }) => {
  const { socket, said } = connection();
  const sent: number[] = [];
  const answer = createBrokenRequests({
    answeringOn: () => undefined,
    onAnswer: (one) => sent.push(one.status),
  });

  answer(Object.assign(new Error('broken'), { code }), socket);

  const [head = '', body = ''] = said().split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} ${words}\r\n`));
  expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`);
  expect(JSON.parse(body)).toMatchObject({
    jsonrpc: '2.0',
    id: 'server-error',
    error: { code: -32600, message: expect.stringMatching(new RegExp(`^${words}: `)) },
  });
  expect(sent).toEqual([status]);
});

test('a connection that was reset gets no answer', () => {
  const { socket, said } = connection();
  const answer = createBrokenRequests({ answeringOn: () => undefined, onAnswer: () => {} });

  answer(Object.assign(new Error('gone'), { code: 'ECONNRESET' }), socket);

  expect(said()).toBe('');
  expect(socket.destroyed).toBe(true);
});
