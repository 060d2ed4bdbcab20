/** The command line: one file per command. Parses, prints, and leaves the work to the services. */
export { runCli } from './run-cli.ts';
export { standardStreams } from './standard-streams.ts';
