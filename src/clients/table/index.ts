/** The one table of clients. Setup, doctor, uninstall and the pages in docs/guides/clients are made from it. */
import type { Client } from '../client.ts';
import {
  ANTIGRAVITY,
  CLAUDE_DESKTOP,
  CLINE,
  CURSOR,
  JUNIE,
  ROO_CODE,
  VS_CODE,
  WINDSURF,
  ZED,
} from './editors.ts';
import { CONTINUE_CLI, COPILOT_CLI, KILO, KIMI_CODE, QWEN_CODE } from './newer-agents.ts';
import { MCP_JSON } from './shared-files.ts';
import { CLAUDE_CODE, CLINE_CLI, CODEX, GEMINI_CLI, GOOSE, OPENCODE } from './terminal-agents.ts';

export const CLIENTS: readonly Client[] = [
  CLAUDE_CODE,
  CLAUDE_DESKTOP,
  CURSOR,
  VS_CODE,
  WINDSURF,
  ZED,
  GEMINI_CLI,
  ANTIGRAVITY,
  CODEX,
  OPENCODE,
  JUNIE,
  CLINE,
  CLINE_CLI,
  ROO_CODE,
  GOOSE,
  KILO,
  QWEN_CODE,
  CONTINUE_CLI,
  KIMI_CODE,
  COPILOT_CLI,
  MCP_JSON,
];
