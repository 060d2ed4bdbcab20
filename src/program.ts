/** The program: arguments and environment in, exit code out. The only signal handlers. */
import { join } from 'node:path';
import { runCli, standardStreams } from './cli/index.ts';
import { readEnvironment, readProjectConfig, type ResolvedConfig } from './config/index.ts';
import { keepCompiledCode, tuneV8 } from './platform/index.ts';

/** Runs the command that this process was started for. `input`: what was read of standard input before. */
export async function run(input?: string): Promise<number> {
  const stop = new AbortController();
  const streams = standardStreams();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (signal === 'SIGINT' && streams.isPaging()) return;
      // The first signal asks for an orderly end; a second one means the user will not wait for it.
      if (stop.signal.aborted) process.exit(130);
      stop.abort(signal);
    });
  }
  return runCli({
    argv: process.argv.slice(2),
    env: readEnvironment(),
    streams,
    version: WAYMARK_VERSION,
    stop: stop.signal,
    input,
    openServices: async (resolved, { project }) => {
      prepare(resolved);
      return (await import('./app.ts')).createApp({
        config: resolved.config,
        project,
        forProject: (root) => readProjectConfig(resolved, root).config,
      });
    },
    openFront: async (resolved, { project, ui = resolved.config.ui }) => {
      prepare(resolved);
      const config = { ...resolved.config, ui };
      return (await import('./front.ts')).openFront({ config, project, resolved });
    },
  });
}

function prepare({ config }: ResolvedConfig): void {
  tuneV8();
  keepCompiledCode(join(config.cacheDir, 'compiled'));
}
