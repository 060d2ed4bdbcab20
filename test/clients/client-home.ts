/** A made-up machine with a home, a project and clients in it, on which setup and uninstall run. */
import { mkdirSync, readFileSync, writeFileSync, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { CLIENTS, type Client, type Places, type Scope } from '../../src/clients/index.ts';
import { emptyHome, run, type Home, type RunResult } from '../support/waymark.ts';

export interface ClientHome {
  readonly home: Home;
  readonly root: string;
  readonly places: Places;
  fileOf(client: Client, scope: Scope): string;
  run(...args: string[]): Promise<RunResult>;
  /** Runs with --json and gives what it printed. */
  json(...args: string[]): Promise<{ code: number | null; value: SetupValue; stderr: string }>;
}

export interface SetupValue {
  readonly ok: boolean;
  readonly clients: readonly {
    readonly client: string;
    readonly action: string;
    readonly file?: string;
    readonly error?: { readonly code: string; readonly message: string; readonly hint?: string };
    readonly handshake?: { readonly kind: string; readonly tools?: number; readonly tokens?: number };
  }[];
  readonly removed?: readonly { readonly client: string; readonly file: string; readonly action: string }[];
}

export function clientHome(): ClientHome {
  const home = emptyHome();
  const root = home.folder.join('home', 'web shop');
  mkdirSync(`${root}/.git`, { recursive: true });
  writeFileSync(`${root}/.git/HEAD`, 'ref: refs/heads/main\n');
  // No program of this machine's path may count as an installed client.
  const env = { ...home.env, PATH: home.folder.join('bin') };
  const places: Places = { system: systemName(), home: home.folder.join('home'), env };
  const self: ClientHome = {
    home: { ...home, env },
    root,
    places,
    fileOf(client, scope) {
      const file =
        scope === 'user' ? client.userFiles?.(places)[0] : `${root}/${client.projectFiles?.[0] ?? ''}`;
      if (file === undefined) throw new Error(`${client.id} has no file of the ${scope}`);
      return file;
    },
    run: (...args) => run(args, { home: self.home, cwd: root }),
    async json(...args) {
      const { code, stdout, stderr } = await self.run(...args, '--json');
      if (!stdout.startsWith('{')) throw new Error(`no JSON: ${stdout}${stderr}`);
      return { code, value: JSON.parse(stdout), stderr };
    },
  };
  return self;
}

function systemName(): Places['system'] {
  const { platform } = process;
  return platform === 'darwin' || platform === 'win32' ? platform : 'linux';
}

export function write(file: string, text: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

export function bytesOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'latin1') : undefined;
}

export function clientNamed(id: string): Client {
  const client = CLIENTS.find((one) => one.id === id);
  if (client === undefined) throw new Error(`no client ${id}`);
  return client;
}
