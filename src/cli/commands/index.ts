/** Every command, in the order help shows them. A new command is one file and one line here. */
import type { Command } from '../command.ts';
import {
  adminBackupCommand,
  adminMigrateCommand,
  adminRestoreCommand,
  adminTenantsCommand,
  adminTokensCommand,
} from './admin.ts';
import { analyzeCommand } from './analyze.ts';
import { backupCommand, restoreCommand } from './backup.ts';
import { completionCommand, toCommandLine } from './completion.ts';
import { configShowCommand } from './config.ts';
import { filesCommand } from './files.ts';
import { hooksCaptureCommand, hooksSettleCommand, hooksStartCommand, hooksTestCommand } from './hooks.ts';
import { clearCommand, indexCommand } from './index-project.ts';
import { memoryEditCommand } from './memory-edit.ts';
import {
  memoryDeleteCommand,
  memoryForgetCommand,
  memoryListCommand,
  memoryLogCommand,
  memoryTimelineCommand,
  memoryShowCommand,
  memoryUndoCommand,
  recallCommand,
} from './memory-entries.ts';
import {
  memoryExportCommand,
  memoryForgetOriginCommand,
  memoryImportCommand,
  memoryLinkCommand,
  memoryMergeCommand,
  memoryMoveCommand,
} from './memory-sharing.ts';
import { projectsCommand, projectsPruneCommand } from './projects.ts';
import { pushCommand } from './push.ts';
import { rememberCommand } from './remember.ts';
import { searchCommand } from './search.ts';
import { depsCommand, impactCommand, outlineCommand, referencesCommand } from './structure.ts';
import { mcpCommand, mcpServeCommand, probeCommand, serveCommand } from './serve.ts';
import { doctorCommand, setupCommand, uninstallCommand } from './setup.ts';
import { statsCommand } from './stats.ts';
import { homeCommand, statusCommand } from './status.ts';
import { tokenCommand, tokenCreateCommand, tokenListCommand, tokenRevokeCommand } from './token.ts';
import { uiCommand } from './ui.ts';

export const COMMANDS: readonly Command[] = [
  setupCommand,
  mcpCommand,
  serveCommand,
  mcpServeCommand,
  pushCommand,
  uiCommand,
  homeCommand,
  hooksStartCommand,
  hooksTestCommand,
  hooksCaptureCommand,
  hooksSettleCommand,
  statusCommand,
  searchCommand,
  referencesCommand,
  depsCommand,
  impactCommand,
  outlineCommand,
  analyzeCommand,
  indexCommand,
  statsCommand,
  filesCommand,
  clearCommand,
  projectsCommand,
  projectsPruneCommand,
  rememberCommand,
  recallCommand,
  memoryListCommand,
  memoryShowCommand,
  memoryEditCommand,
  memoryForgetCommand,
  memoryDeleteCommand,
  memoryUndoCommand,
  memoryLogCommand,
  memoryTimelineCommand,
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
  tokenCreateCommand,
  tokenListCommand,
  tokenRevokeCommand,
  adminMigrateCommand,
  adminTenantsCommand,
  adminTokensCommand,
  adminBackupCommand,
  adminRestoreCommand,
  uninstallCommand,
  completionCommand(() => COMMANDS.map(toCommandLine)),
];
