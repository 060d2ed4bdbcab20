import { createServer } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../platform/index.ts';
import { httpHandshake } from './http-handshake.ts';

test('R180 a server that answers without an end is left when the time is over, whatever was collected meanwhile', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 20);
    response.once('close', () => clearInterval(timer));
  });
  onTestFinished(() => {
    server.close().closeAllConnections();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('It listens on a port.');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void; // What the flag above brings.
  const collecting = setInterval(collect, 50);
  onTestFinished(() => clearInterval(collecting));
  const url = `http://127.0.0.1:${address.port}/mcp`;
  const result = await httpHandshake(url, { clock: systemClock, timeoutMs: 500, headers: {} });
  expect(result).toMatchObject({ kind: 'failed', why: 'unreachable' });
});
