/** Every command, in the order help shows them. A new command is one file and one line here. */
import type { Command } from '../command.ts';
import { toCommandLine } from '../command-line.ts';
import { completionCommand } from './completion.ts';
import { configShowCommand } from './config-show.ts';
import { mcpCommand } from './mcp.ts';
import { serveCommand } from './serve.ts';
import { statusCommand } from './status.ts';

export const COMMANDS: readonly Command[] = [
  mcpCommand,
  serveCommand,
  statusCommand,
  configShowCommand,
  completionCommand(() => COMMANDS.map(toCommandLine)),
];
