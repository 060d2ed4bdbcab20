/** The agents of the campaign, one file each. */
import type { Agent } from '../agent.ts';
import { CLAUDE_CODE } from './claude-code.ts';
import { CLINE_CLI } from './cline-cli.ts';
import { CODEX } from './codex.ts';
import { CONTINUE_CLI } from './continue-cli.ts';
import { COPILOT_CLI } from './copilot-cli.ts';
import { GEMINI_CLI } from './gemini-cli.ts';
import { GOOSE } from './goose.ts';
import { KILO } from './kilo.ts';
import { KIMI_CODE } from './kimi-code.ts';
import { OPENCODE } from './opencode.ts';
import { QWEN_CODE } from './qwen-code.ts';

export const AGENTS: readonly Agent[] = [
  CLAUDE_CODE,
  CODEX,
  GEMINI_CLI,
  OPENCODE,
  COPILOT_CLI,
  CLINE_CLI,
  GOOSE,
  KILO,
  QWEN_CODE,
  CONTINUE_CLI,
  KIMI_CODE,
];
