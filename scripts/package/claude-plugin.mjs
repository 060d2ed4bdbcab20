/** The Claude Code plugin, in a marketplace of its own. Copilot CLI installs it too. */
import { join } from 'node:path';
import { FACTS, PLUGIN_FACTS, PROGRAM, startEntry, writeJson } from './facts.mjs';
import { stageProduction } from './production.mjs';
import { writeSkill } from './skill.mjs';

export function buildClaudePlugin(folder) {
  const plugin = join(folder, 'plugins', 'waymark');
  writeJson(join(folder, '.claude-plugin', 'marketplace.json'), {
    name: 'waymark',
    owner: FACTS.author,
    plugins: [
      {
        name: 'waymark',
        source: './plugins/waymark',
        description: FACTS.description,
        version: FACTS.version,
      },
    ],
  });
  writeJson(join(plugin, '.claude-plugin', 'plugin.json'), {
    ...PLUGIN_FACTS,
  });
  writeJson(join(plugin, '.mcp.json'), {
    mcpServers: {
      waymark: { ...startEntry('${CLAUDE_PLUGIN_ROOT}'), env: { WAYMARK_PROJECT: '${CLAUDE_PROJECT_DIR}' } },
    },
  });
  stageProduction(join(plugin, PROGRAM));
  writeSkill(join(plugin, 'skills'));
  writeJson(join(plugin, 'hooks', 'hooks.json'), {
    description:
      'Tells a session that starts where the work stood, and keeps what it did before it is compacted or ends.',
    hooks: {
      SessionStart: [hook('start', 5)],
      Stop: [hook('capture', 5)],
      PreCompact: [hook('capture', 5)],
      SessionEnd: [hook('capture', 20)],
    },
  });
}

/** The same commands as `waymark setup` writes. `|| exit 0`: a machine without Node on the path is no reason to stop a session. */
function hook(what, timeout) {
  const program = `\${CLAUDE_PLUGIN_ROOT}/${PROGRAM}/dist/main.js`;
  const command = `node "${program}" hooks ${what} claude-code 2>/dev/null || exit 0`;
  return { hooks: [{ type: 'command', command, timeout }] };
}
