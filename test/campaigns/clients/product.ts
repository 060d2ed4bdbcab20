/** Waymark as a user has it: the built program, in the home of one trial. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { runProgram, type Ended } from './run-program.ts';

const LIMIT_MS = 60_000;

export interface Product {
  readonly program: string;
  run(args: readonly string[], cwd: string): Promise<Ended>;
  /** Starts `waymark serve`; resolves with its address. */
  serve(cwd: string): Promise<{ readonly url: string; readonly pid: number | undefined; end(): void }>;
  toolNames(cwd: string): Promise<readonly string[]>;
}

export function productIn(root: string, env: Readonly<Record<string, string>>): Product {
  const program = fileURLToPath(new URL('dist/main.js', `file://${root}/`));
  return {
    program,
    run: (args, cwd) => runProgram([process.execPath, program, ...args], { cwd, env, limitMs: LIMIT_MS }),
    serve: (cwd) => serve(program, cwd, env),
    async toolNames(cwd) {
      const client = new Client({ name: 'campaign', version: '1' });
      const target = { command: process.execPath, args: [program, 'mcp'], cwd, env };
      const transport = new StdioClientTransport({ ...target, stderr: 'ignore' });
      await client.connect(transport);
      const { tools } = await client.listTools();
      await client.close();
      return tools.map(({ name }) => name);
    },
  };
}

function serve(
  program: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): ReturnType<Product['serve']> {
  const child = spawn(process.execPath, [program, 'serve', '--port', '0'], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let seen = '';
  return new Promise((resolve, reject) => {
    const look = (text: string): void => {
      seen += text;
      const [, url] = /(http:\/\/127\.0\.0\.1:\d+\/\S*)/.exec(seen) ?? [];
      if (url !== undefined) resolve({ url, pid: child.pid, end: () => void child.kill('SIGKILL') });
    };
    child.stdout.setEncoding('utf8').on('data', look);
    child.stderr.setEncoding('utf8').on('data', look);
    child.once('close', () => reject(new Error(`waymark serve ended:\n${seen}`)));
  });
}
