/**
 * Waymark's command line in this process: a start of the binary costs half a second of processor time, nearly all of it for loading.
 * Arguments, environment, working directory and streams are given as the system would give them; a server's engine is behind
 * its wire, with messages copied as between threads. Signals, exit and real pipes are for tests of the binary.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createApp } from '../../src/app.ts';
import { runCli } from '../../src/cli/index.ts';
import { readProjectConfig, type ResolvedConfig } from '../../src/config/index.ts';
import { hostEngine } from '../../src/engine/engine-main.ts';
import { createRemoteProjects } from '../../src/engine/index.ts';
import type { FromEngine, ToEngine } from '../../src/engine/messages.ts';
import { createRemoteEngine } from '../../src/engine/remote-engine.ts';
import { createFront, type Front, type FrontOptions } from '../../src/front.ts';

/** Where this process works between two commands; folders of tests come and go. */
const USUAL_CWD = process.cwd();
/** What setup writes down for clients. */
export const BIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const PACKAGE = new URL('../../package.json', import.meta.url);

export interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Its output goes to a terminal of this size, standard error too. */
  readonly window?: { readonly columns: number; readonly rows: number };
}

export interface RunningCommand {
  /** The exit code. */
  readonly ended: Promise<number>;
  readonly out: PassThrough;
  readonly err: PassThrough;
  readonly stdin: PassThrough;
  /** As SIGTERM does; resolves when all is closed. */
  end(): Promise<void>;
}

/** How often it is looked whether something was logged. */
const LOG_POLL_MS = 20;

let logs = 0;

/** Begins a command. Whatever depends on the working directory is resolved before this returns, but for commands that wait first. */
export function beginCommand(argv: readonly string[], { cwd, env, window }: Place): RunningCommand {
  const stop = new AbortController();
  const [out, err, stdin] = [new PassThrough(), new PassThrough(), new PassThrough()];
  if (window !== undefined)
    for (const stream of [out, err]) Object.assign(stream, { isTTY: true, ...window });
  const ownLog = join(tmpdir(), `waymark-test-log-${process.pid}-${(logs += 1)}`);
  const logging = (resolved: ResolvedConfig): ResolvedConfig => ({
    ...resolved,
    config: { ...resolved.config, logFile: resolved.config.logFile ?? ownLog },
  });
  const giveBack = lendHome(env['HOME']);
  process.chdir(cwd);
  // As the system tells it: without links in it.
  const here = process.cwd();
  try {
    const ended = runCli({
      argv,
      env,
      version: JSON.parse(readFileSync(PACKAGE, 'utf8')).version,
      stop: stop.signal,
      streams: { out, err, in: () => Readable.from([]) },
      async openServices(asked, { project }) {
        const resolved = logging(asked);
        return createApp({
          config: resolved.config,
          project,
          cwd: here,
          environment: () => env,
          forProject: (root) => readProjectConfig(resolved, root).config,
        });
      },
      async openFront(asked, { project, ui = asked.config.ui }) {
        const resolved = logging(asked);
        const config = { ...resolved.config, ui };
        const front = openFront({ config, project, cwd: here, environment: () => env, resolved });
        return {
          ...front,
          openStdio: (options) => front.openStdio({ ...options, pipes: { stdin, stdout: out } }),
        };
      },
    });
    const follow = followLog(ownLog, err);
    return {
      ended: ended.finally(() => {
        follow.end();
        giveBack();
      }),
      out,
      err,
      stdin,
      async end() {
        stop.abort('SIGTERM');
        await ended;
      },
    };
  } finally {
    process.chdir(USUAL_CWD);
  }
}

const usualHome = process.env['HOME'];
let lent = 0;

/** A process has one home: the last that was lent is it, while any command runs. */
function lendHome(home: string | undefined): () => void {
  lent += 1;
  setHome(home);
  return () => {
    lent -= 1;
    if (lent === 0) setHome(usualHome);
  };
}

function setHome(home: string | undefined): void {
  if (home === undefined) delete process.env['HOME'];
  else process.env['HOME'] = home;
}

/** Passes on what is logged, which a process writes to standard error by its number. */
function followLog(absPath: string, to: PassThrough): { end(): void } {
  let seen = 0;
  const look = (): void => {
    const logged = existsSync(absPath) ? readFileSync(absPath, 'utf8') : '';
    if (logged.length > seen) to.write(logged.slice(seen));
    seen = logged.length;
  };
  const timer = setInterval(look, LOG_POLL_MS);
  return {
    end() {
      clearInterval(timer);
      look();
      rmSync(absPath, { force: true });
    },
  };
}

/** As the program's, with the engine in this thread. */
function openFront(options: FrontOptions & { readonly resolved: ResolvedConfig }): Front {
  return createFront(options, ({ environment, reach, logger }) => {
    const engine = createRemoteEngine((listener) => {
      let deliver = (_message: ToEngine): void => {};
      void hostEngine(
        { resolved: options.resolved, environment: environment(), reach: reach() },
        {
          onMessage: (hear) => (deliver = hear),
          send: crossing(listener.onMessage),
        },
      );
      return { send: crossing((message: ToEngine) => deliver(message)), stop() {} };
    }, logger);
    return {
      engine,
      known: createRemoteProjects(engine),
      start: () => engine.start(),
      close: () => engine.close(),
    };
  });
}

/** Messages arrive later, in order, and as copies, as those of threads do. */
function crossing<Message extends FromEngine | ToEngine>(
  deliver: (message: Message) => void,
): (message: Message) => void {
  return (message) => {
    const copy = structuredClone(message);
    setImmediate(() => deliver(copy));
  };
}

let last: Promise<unknown> = Promise.resolve();

export interface RunResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end. One at a time: they share this process's working directory. */
export function runHere(argv: readonly string[], place: Place): Promise<RunResult> {
  const result = last.then(async () => {
    const running = beginCommand(argv, place);
    process.chdir(place.cwd);
    const [, script = ''] = process.argv;
    process.argv[1] = BIN;
    running.stdin.end();
    let [stdout, stderr] = ['', ''];
    running.out.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    running.err.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    try {
      const code = await running.ended;
      await new Promise((resolve) => setImmediate(resolve));
      return { code, stdout, stderr };
    } finally {
      process.argv[1] = script;
      process.chdir(USUAL_CWD);
    }
  });
  last = result.catch(() => {});
  return result;
}
