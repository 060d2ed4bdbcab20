/** The Codex plugin, in a marketplace of its own. */
import { join } from 'node:path';
import { FACTS, PLUGIN_FACTS, PROGRAM, startEntry, writeJson } from './facts.mjs';
import { stageProduction } from './production.mjs';
import { writeSkill } from './skill.mjs';

export function buildCodexPlugin(folder) {
  const plugin = join(folder, 'plugins', 'waymark');
  writeJson(join(folder, '.agents', 'plugins', 'marketplace.json'), {
    name: 'waymark',
    interface: { displayName: 'Waymark' },
    owner: FACTS.author,
    plugins: [
      {
        name: 'waymark',
        source: { source: 'local', path: './plugins/waymark' },
        policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' },
        category: 'Productivity',
        description: FACTS.description,
        version: FACTS.version,
      },
    ],
  });
  writeJson(join(plugin, '.codex-plugin', 'plugin.json'), {
    ...PLUGIN_FACTS,
    skills: './skills/',
    mcpServers: './.mcp.json',
    interface: {
      displayName: 'Waymark',
      shortDescription: 'Knows your project',
      longDescription: FACTS.description,
      developerName: FACTS.author.name,
      category: 'Productivity',
      websiteURL: FACTS.homepage,
      defaultPrompt: ['Which project is this, and how do you know?'],
    },
  });
  // Codex fills in no variables, but takes a relative cwd from the plugin's folder. It tells the project with each call.
  writeJson(join(plugin, '.mcp.json'), { mcpServers: { waymark: { ...startEntry('.'), cwd: '.' } } });
  stageProduction(join(plugin, PROGRAM));
  writeSkill(join(plugin, 'skills'));
}
