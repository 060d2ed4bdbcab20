/** A follower as seen from the campaign that started it. */
import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface FollowerStatus {
  readonly pid: number;
  readonly role: string;
  readonly by: string | undefined;
  readonly passes: number;
}

export interface FollowerProcess {
  /** When a definition of that name in that file was committed, in milliseconds since the epoch. */
  find(path: string, name: string): Promise<number>;
  /** Resolves when the index is at the files. */
  fresh(): Promise<void>;
  status(): Promise<FollowerStatus>;
  end(): void;
  leave(): void;
  kill(): void;
  readonly ended: Promise<{ readonly code: number | null; readonly stderr: string }>;
}

export interface FollowerOptions {
  readonly program: string;
  readonly root: string;
  /** Where it keeps its things: a HOME of its own. */
  readonly home: string;
  /** Only so many inotify watches, in a user namespace of its own. */
  readonly watches?: number;
}

type Answer = Readonly<Record<string, unknown>>;

export function startFollower({ program, root, home, watches }: FollowerOptions): FollowerProcess {
  const command = [process.execPath, '--enable-source-maps', program, root];
  const limited = `echo ${watches} > /proc/sys/user/max_inotify_watches && exec "$@"`;
  const [file = '', ...args] =
    watches === undefined ? command : ['unshare', '-Ur', 'sh', '-c', limited, 'sh', ...command];
  const child = spawn(file, args, {
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      XDG_CACHE_HOME: `${home}/cache`,
      XDG_DATA_HOME: `${home}/share`,
      XDG_CONFIG_HOME: `${home}/config`,
    },
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const waiting = new Set<(answer: Answer) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = toAnswer(line);
    for (const hear of waiting) hear(answer);
  });
  const ended = new Promise<{ code: number | null; stderr: string }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stderr }));
  });

  /** Fails if the process ends first. */
  function ask(line: string, isMine: (answer: Answer) => boolean): Promise<Answer> {
    const answered = new Promise<Answer>((resolve) => {
      const hear = (answer: Answer): void => {
        if (!isMine(answer)) return;
        waiting.delete(hear);
        resolve(answer);
      };
      waiting.add(hear);
    });
    child.stdin.write(`${line}\n`);
    const gone = ended.then(({ code, stderr: said }): never => {
      throw new Error(`a follower ended (${code}) before it answered ${line}: ${said}`);
    });
    return Promise.race([answered, gone]);
  }

  return {
    find: async (path, name) =>
      Number((await ask(`find ${path} ${name}`, ({ found }) => found === name))['at']),
    fresh: async () => void (await ask('fresh', (answer) => answer['fresh'] === true)),
    async status() {
      const { pid, role, by, passes } = await ask('status', (answer) => 'role' in answer);
      const mode = typeof by === 'string' ? by : undefined;
      return { pid: Number(pid), role: String(role), by: mode, passes: Number(passes) };
    },
    end: () => void child.stdin.write('end\n'),
    leave: () => void child.stdin.write('leave\n'),
    kill: () => void child.kill('SIGKILL'),
    ended,
  };
}

function toAnswer(line: string): Answer {
  const parsed: unknown = JSON.parse(line);
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
}

/** Whether this machine lets us take the watches away from one process. */
export function canLimitWatches(): boolean {
  const tried = spawnSync('unshare', ['-Ur', 'sh', '-c', 'echo 0 > /proc/sys/user/max_inotify_watches'], {
    stdio: 'ignore',
  });
  return tried.status === 0;
}
