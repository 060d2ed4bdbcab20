import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { factsOf } from '../campaigns/soak/process-facts.ts';

/** Prints its port, then a line for each connection that came and for each that its client left; keeps all of them. */
const SERVER = `
require('node:net').createServer({ allowHalfOpen: true }, (socket) => {
  socket.resume().on('end', () => console.log('left'));
  console.log('came');
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
`;

test.runIf(process.platform === 'linux')(
  'connections that clients keep open are no handles of the server, those that they left are',
  async () => {
    const server = spawn(process.execPath, ['-e', SERVER], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void server.kill());
    const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
    const port = Number((await lines.next()).value);
    const handles = (): number => factsOf(server.pid ?? 0, port).handles;
    const before = handles();

    const client = connect(port, '127.0.0.1');
    const came = await lines.next();
    const open = handles();
    client.end();
    const left = await lines.next();

    expect([came.value, left.value]).toEqual(['came', 'left']);
    expect(open).toBe(before);
    expect(handles()).toBe(before + 1);
  },
);
