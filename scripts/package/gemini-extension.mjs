/** The Gemini CLI extension. */
import { join } from 'node:path';
import { FACTS, PROGRAM, startEntry, writeJson, writeText } from './facts.mjs';
import { stageProduction } from './production.mjs';
import { template, writeSkill } from './skill.mjs';

export function buildGeminiExtension(folder) {
  // The name must be that of the folder it is installed into.
  writeJson(join(folder, 'waymark', 'gemini-extension.json'), {
    name: 'waymark',
    version: FACTS.version,
    description: FACTS.description,
    mcpServers: {
      waymark: { ...startEntry('${extensionPath}'), cwd: '${workspacePath}', timeout: 60_000 },
    },
    contextFileName: 'GEMINI.md',
  });
  writeText(join(folder, 'waymark', 'GEMINI.md'), template('agents-block.md'));
  writeSkill(join(folder, 'waymark', 'skills'));
  stageProduction(join(folder, 'waymark', PROGRAM));
}
