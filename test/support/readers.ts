/** Readers of a command's standard output, as a shell connects them: a file, a pipe, a slow one, one that leaves. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tempFolder, type TempFolder } from './temp-folder.ts';
import { BIN, finished, type Home, type RunResult } from './waymark.ts';

export interface Reading {
  readonly home: Home;
  readonly cwd: string;
}

export async function readByFile(args: readonly string[], { home, cwd }: Reading): Promise<RunResult> {
  const file = tempFolder().join('output');
  const fd = openSync(file, 'w');
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd,
    env: home.env,
    stdio: ['ignore', fd, 'pipe'],
  });
  closeSync(fd);
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = await once(child, 'close');
  return { code, stdout: readFileSync(file, 'utf8'), stderr };
}

/** Behind what a shell says about the output; the exit code is the command's if its reader is content. */
export function readBy(
  redirection: string,
  args: readonly string[],
  { home, cwd }: Reading,
): Promise<RunResult> {
  const line = `set -o pipefail; "$0" "$@" ${redirection}`;
  const child = spawn('bash', ['-c', line, process.execPath, BIN, ...args], { cwd, env: home.env });
  child.stdin.end();
  return finished(child);
}

const SIP_BYTES = 1_000;

/** Takes a sip, leaves the writer with a full pipe while another process starts and ends, then sips the rest. */
export async function readSlowly(args: readonly string[], { home, cwd }: Reading): Promise<RunResult> {
  const fifo = makeFifo(tempFolder());
  const line = `exec "$0" "$@" > '${fifo}'`;
  const child = spawn('bash', ['-c', line, process.execPath, BIN, ...args], { cwd, env: home.env });
  child.stdin.end();
  const ended = finished(child);
  const handle = await open(fifo, 'r');
  const sips: Buffer[] = [];
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(SIP_BYTES), 0, SIP_BYTES);
    if (bytesRead === 0) break;
    if (sips.length === 0) await once(spawn(process.execPath, ['-e', '0']), 'close');
    sips.push(buffer.subarray(0, bytesRead));
  }
  await handle.close();
  const { code, stderr } = await ended;
  return { code, stderr, stdout: Buffer.concat(sips).toString('utf8') };
}

function makeFifo(folder: TempFolder): string {
  const fifo = folder.join('fifo');
  execFileSync('mkfifo', [fifo]);
  return fifo;
}
