/** The skill that tells an agent when to use Waymark, and the block for AGENTS.md: one text for every client that reads skills. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup.mjs';
import { writeText } from './facts.mjs';

/** For `.agents/skills`, which Codex, OpenCode and Gemini CLI read, and the block that is pasted into AGENTS.md by choice. */
export function buildSkill(folder) {
  writeSkill(join(folder, '.agents', 'skills'));
  writeText(join(folder, 'AGENTS.block.md'), template('agents-block.md'));
}

export function writeSkill(skillsFolder) {
  writeText(join(skillsFolder, 'waymark', 'SKILL.md'), template('SKILL.md'));
}

export function template(name) {
  return readFileSync(join(root, 'scripts', 'package', 'templates', name), 'utf8');
}
