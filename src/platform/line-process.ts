/** Another program that is spoken to line by line, as MCP clients do. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface LineProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** All that the program gets. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

export interface LineProcess {
  send(line: string): void;
  /** The next line it prints; undefined once it has ended. */
  next(): Promise<string | undefined>;
  /** How it ended. `missing`: the program could not be started at all. */
  readonly ended: Promise<
    { readonly kind: 'exited'; readonly code: number | null } | { readonly kind: 'missing' }
  >;
  /** The end of what it printed beside the protocol. */
  complaint(): string;
  stop(): void;
}

const KEPT_COMPLAINT = 2_000;
const GRACE_MS = 1_000;
/** Of everything it prints; a program that prints more is ended. */
const MOST_PRINTED_BYTES = 16 * 1024 * 1024;

export function startLineProcess({ command, args, env, cwd }: LineProcessOptions): LineProcess {
  const child = spawn(command, [...args], { env: { ...env }, cwd, stdio: 'pipe', windowsHide: true });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-KEPT_COMPLAINT);
  });
  // A program that ends at once breaks the pipe; how it ended says more.
  child.stdin.on('error', () => {});
  const reader = createInterface({ input: child.stdout });
  // A line without an end would be gathered until there is no memory left.
  let printedBytes = 0;
  child.stdout.on('data', (piece: Buffer) => {
    printedBytes += piece.length;
    if (printedBytes <= MOST_PRINTED_BYTES) return;
    child.kill('SIGKILL');
    child.stdout.destroy();
    reader.close();
  });
  const lines = reader[Symbol.asyncIterator]();
  const ended = new Promise<Awaited<LineProcess['ended']>>((settle) => {
    child.once('error', () => settle({ kind: 'missing' }));
    child.once('close', (code) => settle({ kind: 'exited', code }));
  });
  return {
    send: (line) => void child.stdin.write(`${line}\n`),
    next: async () => {
      const { done, value } = await lines.next();
      return done === true ? undefined : String(value);
    },
    ended,
    complaint: () => complaint,
    stop() {
      child.stdin.end();
      const kill = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
      void ended.then(() => clearTimeout(kill));
    },
  };
}
