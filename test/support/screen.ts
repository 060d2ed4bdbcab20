/** A command as a person sees it: what is printed on a terminal of a given size, or what a pipe gets. In this process. */
import { mkdirSync } from 'node:fs';
import { SHOP_FILES } from './search-shop.ts';
import { tempFolder, type OnEnd, type TempFolder } from './temp-folder.ts';
import { runHere } from './in-process.ts';
import { toLines, withoutColors } from './terminal.ts';

export interface Machine {
  readonly folder: TempFolder;
  readonly env: Readonly<Record<string, string>>;
}

export interface Seen {
  readonly code: number | null;
  readonly colored: string;
  readonly screen: string;
}

export interface Screen {
  readonly size?: readonly [columns: number, rows: number] | undefined;
  readonly env?: Readonly<Record<string, string>>;
  /** Below the home directory. */
  readonly cwd?: string;
}

/** An empty HOME, with a shop of a few files in `~/shop` and a folder that is no project in `~/empty`. No program is in its PATH. */
export function shopMachine(onEnd: OnEnd): Machine {
  const files = Object.entries(SHOP_FILES).map(([path, text]) => [`home/shop/${path}`, text]);
  const folder = tempFolder(Object.fromEntries(files), onEnd);
  mkdirSync(folder.join('home/empty'));
  return {
    folder,
    env: {
      PATH: '/nowhere',
      TERM: 'xterm',
      TZ: 'UTC',
      HOME: folder.join('home'),
      XDG_CONFIG_HOME: folder.join('config'),
      XDG_DATA_HOME: folder.join('share'),
      XDG_CACHE_HOME: folder.join('cache'),
    },
  };
}

export async function see(
  { folder, env }: Machine,
  args: readonly string[],
  { size = [80, 24], cwd = 'shop', ...screen }: Screen = {},
): Promise<Seen> {
  const [columns, rows] = size;
  const place = {
    cwd: folder.join(`home/${cwd}`),
    env: { ...env, ...screen.env },
    window: { columns, rows },
  };
  const { code, stdout, stderr } = await runHere(args, place);
  const colored = toLines(stdout) + toLines(stderr);
  return { code, colored, screen: withoutColors(colored) };
}

export function pipe(machine: Machine, args: readonly string[], cwd = 'shop') {
  return runHere(args, { cwd: machine.folder.join(`home/${cwd}`), env: machine.env });
}
