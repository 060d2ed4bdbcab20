/** The command line: one file per command. Parses, prints, and leaves the work to the services. */
export type { Services } from './command.ts';
export { runCli, type CliOptions } from './run-cli.ts';
export { standardStreams } from './standard-streams.ts';
