/** Every command, in the order help shows them. A new command is one file and one line here. */
import type { Command } from '../command.ts';
import { toCommandLine } from '../command-line.ts';
import { completionCommand } from './completion.ts';
import { configShowCommand } from './config-show.ts';
import { doctorCommand } from './doctor.ts';
import { filesCommand } from './files.ts';
import { indexCommand } from './index-project.ts';
import { mcpCommand } from './mcp.ts';
import { mcpServeCommand } from './mcp-serve.ts';
import { probeCommand } from './probe.ts';
import { serveCommand } from './serve.ts';
import { setupCommand } from './setup.ts';
import { statsCommand } from './stats.ts';
import { statusCommand } from './status.ts';
import { tokenCommand } from './token.ts';
import { uninstallCommand } from './uninstall.ts';

export const COMMANDS: readonly Command[] = [
  setupCommand,
  mcpCommand,
  serveCommand,
  mcpServeCommand,
  statusCommand,
  indexCommand,
  statsCommand,
  filesCommand,
  configShowCommand,
  probeCommand,
  doctorCommand,
  tokenCommand,
  uninstallCommand,
  completionCommand(() => COMMANDS.map(toCommandLine)),
];
