/** A server whose calls are counted, with a client of the official SDK. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import { root } from '../setup.mjs';

const RECORDER = fileURLToPath(new URL('record-calls.mjs', import.meta.url));
const QUIET_MS = 100;
const QUIET_ROUNDS = 12;
/** A timer that looks after something. */
const QUIET_CALLS = 12;
const MOST_ROUNDS = 1_200;

/** @param {{ command: readonly string[], home: string, project: string, transport: 'stdio' | 'http' }} options */
export async function startWalked({ command, home, project, transport }) {
  const child = spawn(process.execPath, ['--import', RECORDER, join(root, 'src', 'main.ts'), ...command], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const client = new Client({ name: 'walk', version: '1' });
  await client.connect(
    transport === 'stdio' ? overPipes(child) : new StreamableHTTPClientTransport(await addressOf(child)),
  );

  const take = () =>
    new Promise((resolve) => {
      child.once('message', resolve);
      child.send({});
    });

  /** Runs `work`, then waits until the server rests, if asked to; gives all that ran. */
  async function walk(work, { untilQuiet = false } = {}) {
    await take();
    const started = performance.now();
    await work();
    const answeredMs = performance.now() - started;
    const functions = new Map();
    const order = new Set();
    const add = ({ called, order: seen }) => {
      for (const file of seen) order.add(file);
      for (const one of called) {
        const known = functions.get(one.file) ?? new Set();
        functions.set(one.file, known);
        for (const name of one.functions) known.add(name);
      }
      return called.reduce((sum, one) => sum + one.functions.length, 0);
    };
    add(await take());
    const ms = untilQuiet ? Math.max(answeredMs, (await rest(add)) - started) : answeredMs;
    // Functions that are a single expression tell nothing of their order.
    const files = [...order, ...[...functions.keys()].filter((file) => !order.has(file))];
    const count = [...functions.values()].reduce((sum, names) => sum + names.size, 0);
    return { files: files.filter((file) => functions.has(file)), functions: count, names: functions, ms };
  }

  /** Gives when it last did something, to the length of a round. */
  async function rest(add) {
    let busyAt = 0;
    for (let round = 0, quiet = 0; quiet < QUIET_ROUNDS && round < MOST_ROUNDS; round++) {
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
      quiet = add(await take()) > QUIET_CALLS ? 0 : quiet + 1;
      if (quiet === 0) busyAt = performance.now();
    }
    return busyAt;
  }

  return {
    walk,
    settle: () => rest(({ called }) => called.reduce((sum, one) => sum + one.functions.length, 0)),
    async call(name, args) {
      const answer = await client.callTool({ name, arguments: args });
      if (answer.isError) throw new Error(`${name}: ${JSON.stringify(answer.content)}`);
    },
    async close() {
      await client.close();
      child.stdin.end();
      child.kill();
      await ended;
    },
  };
}

/** The SDK's own stdio client starts its process itself, without a channel for us. */
function overPipes(child) {
  const buffer = new ReadBuffer();
  const transport = {
    async start() {
      child.stdout.pipe(new PassThrough()).on('data', (chunk) => {
        buffer.append(chunk);
        for (let message = buffer.readMessage(); message !== null; message = buffer.readMessage())
          transport.onmessage?.(message);
      });
    },
    async send(message) {
      child.stdin.write(serializeMessage(message));
    },
    async close() {
      transport.onclose?.();
    },
  };
  return transport;
}

function addressOf(child) {
  return new Promise((resolve, reject) => {
    let text = '';
    child.once('exit', () => reject(new Error('the server did not start')));
    const hear = (chunk) => {
      text += chunk;
      const found = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(text);
      if (found !== null) resolve(new URL(found[0]));
    };
    child.stdout.on('data', hear);
  });
}
