/** Lines that no client sends, to a real `waymark mcp`: it answers the next ping, says nothing but JSON-RPC, and stays. */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import {
  initialize,
  LEGACY_ONLY,
  modern,
  MODERN_ONLY,
  rpc,
  SHARED_REQUESTS,
  type Json,
} from '../http/messages.ts';
import { mutateJson } from '../http/mutate-json.ts';
import type { Random } from '../http/seeded-random.ts';
import { damage } from './damage.ts';
import type { FuzzKind } from './fuzz-kind.ts';

const PATIENCE_MS = 10_000;

export const STDIO_LINES: FuzzKind = {
  name: 'stdio',
  // The lines are read by another process, so none are counted here.
  rooms: [],
  waits: true,
  async open(folder) {
    const cwd = join(folder, 'project');
    mkdirSync(cwd);
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder };
    const child = spawn(process.execPath, [resolve('dist/main.js'), 'mcp'], { cwd, env });
    let [complaints, ended] = ['', ''];
    const waiting = new Map<string, () => void>();
    let odd: string | undefined;
    child.stderr
      .setEncoding('utf8')
      .on('data', (text: string) => (complaints = (complaints + text).slice(-1_000)));
    child.stdin.on('error', () => undefined);
    child.once('exit', (code, signal) => {
      ended = `the server ended with ${String(signal ?? code)}: ${complaints.slice(-300)}`;
      for (const wake of waiting.values()) wake();
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      const id = idOf(line);
      if (id === undefined) odd ??= `a line that is no JSON-RPC: ${line.slice(0, 100)}`;
      waiting.get(String(id))?.();
    });
    const send = (bytes: Uint8Array | string): void => void child.stdin.write(bytes);
    const answered = async (id: string): Promise<string | undefined> => {
      let timer: NodeJS.Timeout | undefined;
      const heard = new Promise<string | undefined>((done) => {
        waiting.set(id, () => done(undefined));
        timer = setTimeout(() => done('a ping behind it was not answered'), PATIENCE_MS);
      });
      send(`${JSON.stringify(rpc(id, 'ping'))}\n`);
      const what = await heard;
      clearTimeout(timer);
      waiting.delete(id);
      return ended === '' ? what : ended;
    };
    send(
      `${JSON.stringify(initialize('hello'))}\n${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`,
    );
    // The start of the program is no part of the first case.
    await answered('started');
    return {
      make(random, index) {
        const bytes = makeLine(random);
        return {
          name: 'a line',
          bytes,
          async run() {
            odd = undefined;
            send(bytes);
            send('\n');
            return (await answered(`ping-${index}`)) ?? odd;
          },
        };
      },
      async close() {
        child.stdin.end();
        if (ended === '') await new Promise((done) => child.once('exit', done));
      },
    };
  },
};

function makeLine(random: Random): Buffer {
  const message: Json = random.pick([
    random.pick(LEGACY_ONLY),
    random.pick(SHARED_REQUESTS),
    modern(random.pick(SHARED_REQUESTS)),
    modern(random.pick(MODERN_ONLY)),
  ]);
  const line = mutateJson(message, random);
  return random.chance(0.1) ? damage(line, random) : line;
}

/** Undefined for what is no message of JSON-RPC; null for one without an id. */
function idOf(line: string): unknown {
  try {
    const parsed: unknown = JSON.parse(line);
    const [first] = Array.isArray(parsed) ? parsed : [parsed];
    if (Reflect.get(Object(first), 'jsonrpc') !== '2.0') return undefined;
    return Reflect.get(Object(first), 'id') ?? null;
  } catch {
    return undefined;
  }
}
