/** The Codex plugin, in a marketplace of its own. */
import { join } from 'node:path';
import { FACTS, NPX_ENTRY, PLUGIN_FACTS, writeJson } from './facts.mjs';
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
  // Codex starts plugin servers in its cache and tells the project with each call instead.
  writeJson(join(plugin, '.mcp.json'), { mcpServers: { waymark: NPX_ENTRY } });
  writeSkill(join(plugin, 'skills'));
}
