/** What can be packaged; each takes the folder to write into. */
import { buildClaudePlugin } from './claude-plugin.mjs';
import { buildCodexPlugin } from './codex-plugin.mjs';
import { buildGeminiExtension } from './gemini-extension.mjs';
import { buildMcpb } from './mcpb.mjs';
import { buildNpmTarball } from './npm-tarball.mjs';
import { buildRegistryEntry } from './registry-entry.mjs';
import { buildSkill } from './skill.mjs';

export const KINDS = {
  npm: buildNpmTarball,
  registry: buildRegistryEntry,
  mcpb: buildMcpb,
  'claude-code': buildClaudePlugin,
  codex: buildCodexPlugin,
  gemini: buildGeminiExtension,
  skill: buildSkill,
};
