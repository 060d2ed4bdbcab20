/** The Claude Code plugin, in a marketplace of its own. Copilot CLI installs it too. */
import { join } from 'node:path';
import { FACTS, PLUGIN_FACTS, PROGRAM, startEntry, writeJson, writeText } from './facts.mjs';
import { stageProduction } from './production.mjs';
import { template, writeSkill } from './skill.mjs';

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
    description: 'Reminds the agent of Waymark when a session starts and before its context is compacted.',
    hooks: {
      SessionStart: [hook('session-start', 'startup|resume|clear|compact')],
      PreCompact: [hook('before-compaction')],
    },
  });
  writeText(join(plugin, 'hooks', 'hook.mjs'), template('hook.mjs'));
}

/** `|| exit 0`: a machine without Node on the path is no reason to stop anybody. */
function hook(event, matcher) {
  const command = `node "\${CLAUDE_PLUGIN_ROOT}/hooks/hook.mjs" ${event} 2>/dev/null || exit 0`;
  return { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: 'command', command, timeout: 2 }] };
}
