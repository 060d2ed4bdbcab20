/** Stands between an agent and the server for one run, and keeps what the agent sends. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Tap {
  /** Each message that was sent, as JSON. */
  lines(): readonly string[];
  close(): Promise<void>;
}

/** A program to start in the place of `program`: it starts that one, and copies what comes in. */
export function writeStdioTap(program: string, file: string): Tap {
  const log = `${file}.log`;
  writeFileSync(log, '');
  writeFileSync(
    file,
    `import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
const child = spawn(process.execPath, [${JSON.stringify(program)}, ...process.argv.slice(2)], { stdio: ['pipe', 'inherit', 'inherit'] });
process.stdin.on('data', (part) => { appendFileSync(${JSON.stringify(log)}, part); child.stdin.write(part); });
process.stdin.on('end', () => child.stdin.end());
child.on('exit', (code) => process.exit(code ?? 1));
`,
  );
  return {
    lines: () => readFileSync(log, 'utf8').split('\n'),
    close: () => Promise.resolve(),
  };
}

/** Passes requests on to `target`. */
export async function openHttpTap(target: string): Promise<Tap & { readonly url: string }> {
  const lines: string[] = [];
  const server = createServer((from, to) => void passOn(from, to, { target, lines }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // An address of a listening TCP server is an object.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    lines: () => lines,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function passOn(
  from: IncomingMessage,
  to: ServerResponse,
  { target, lines }: { readonly target: string; readonly lines: string[] },
): Promise<void> {
  const parts: Buffer[] = [];
  // The stream gives buffers as long as no encoding is set.
  for await (const part of from) parts.push(part as Buffer);
  const body = Buffer.concat(parts);
  if (body.length > 0) lines.push(body.toString('utf8'));
  const url = new URL(from.url ?? '/', target);
  const onward = ask(url, { method: from.method, headers: { ...from.headers, host: url.host } }, (answer) => {
    to.writeHead(answer.statusCode ?? 502, answer.headers);
    to.flushHeaders();
    answer.pipe(to);
  });
  onward.on('error', () => to.destroy());
  to.on('close', () => onward.destroy());
  onward.end(body);
}
