/** Every command, in the order help shows them. A new command is one file and one line here. */
import type { Command } from '../command.ts';
import { toCommandLine } from '../command-line.ts';
import { analyzeCommand } from './analyze.ts';
import { clearCommand } from './clear.ts';
import { backupCommand, restoreCommand } from './backup.ts';
import { completionCommand } from './completion.ts';
import { configShowCommand } from './config-show.ts';
import { doctorCommand } from './doctor.ts';
import { filesCommand } from './files.ts';
import { indexCommand } from './index-project.ts';
import { mcpCommand } from './mcp.ts';
import { mcpServeCommand } from './mcp-serve.ts';
import { memoryEditCommand } from './memory-edit.ts';
import {
  memoryDeleteCommand,
  memoryListCommand,
  memoryLogCommand,
  memoryShowCommand,
  memoryUndoCommand,
} from './memory-entries.ts';
import {
  memoryExportCommand,
  memoryForgetOriginCommand,
  memoryImportCommand,
  memoryLinkCommand,
  memoryMergeCommand,
  memoryMoveCommand,
} from './memory-sharing.ts';
import { probeCommand } from './probe.ts';
import { recallCommand } from './recall.ts';
import { projectsCommand } from './projects.ts';
import { projectsPruneCommand } from './projects-prune.ts';
import { searchCommand } from './search.ts';
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
  searchCommand,
  analyzeCommand,
  indexCommand,
  statsCommand,
  filesCommand,
  clearCommand,
  projectsCommand,
  projectsPruneCommand,
  recallCommand,
  memoryListCommand,
  memoryShowCommand,
  memoryEditCommand,
  memoryDeleteCommand,
  memoryUndoCommand,
  memoryLogCommand,
  memoryLinkCommand,
  memoryMoveCommand,
  memoryMergeCommand,
  memoryExportCommand,
  memoryImportCommand,
  memoryForgetOriginCommand,
  backupCommand,
  restoreCommand,
  configShowCommand,
  probeCommand,
  doctorCommand,
  tokenCommand,
  uninstallCommand,
  completionCommand(() => COMMANDS.map(toCommandLine)),
];
