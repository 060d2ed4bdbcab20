/** Every command, in the order help shows them. A new command is one file and one line here. */
import type { Command } from '../command.ts';
import { toCommandLine } from '../command-line.ts';
import { analyzeCommand } from './analyze.ts';
import { clearCommand } from './clear.ts';
import { completionCommand } from './completion.ts';
import { configShowCommand } from './config-show.ts';
import { filesCommand } from './files.ts';
import { indexCommand } from './index-project.ts';
import { mcpCommand } from './mcp.ts';
import { mcpServeCommand } from './mcp-serve.ts';
import { probeCommand } from './probe.ts';
import { projectsCommand } from './projects.ts';
import { projectsPruneCommand } from './projects-prune.ts';
import { searchCommand } from './search.ts';
import { serveCommand } from './serve.ts';
import { statsCommand } from './stats.ts';
import { statusCommand } from './status.ts';
import { tokenCommand } from './token.ts';

export const COMMANDS: readonly Command[] = [
  mcpCommand,
  serveCommand,
  mcpServeCommand,
  statusCommand,
  searchCommand,
  analyzeCommand,
  indexCommand,
  statsCommand,
  filesCommand,
  clearCommand,
  projectsCommand,
  projectsPruneCommand,
  configShowCommand,
  probeCommand,
  tokenCommand,
  completionCommand(() => COMMANDS.map(toCommandLine)),
];
