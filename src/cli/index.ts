/** The command line: one file per command. Parses, prints, and leaves the work to the services. */
export type { HowToConnect, Served, ServedListener } from './command.ts';
export { runCli } from './run-cli.ts';
export { standardStreams } from './standard-streams.ts';
export { runHook, type HookRun } from './hooks/quick-hook.ts';
