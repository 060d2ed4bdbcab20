import { KEY, type Agent } from '../agent.ts';

export const CLAUDE_CODE: Agent = {
  id: 'claude-code',
  name: 'Claude Code',
  package: '@anthropic-ai/claude-code',
  program: '@anthropic-ai/claude-code-linux-x64/claude',
  runsOn: 'itself',
  files: () => ({
    '.claude.json': `${JSON.stringify({ hasCompletedOnboarding: true, numStartups: 3 }, null, 2)}\n`,
  }),
  env: ({ modelUrl }) => ({
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    // By default it asks its model before a server that is late on a busy machine has told its tools.
    MCP_CONNECTION_NONBLOCKING: 'false',
  }),
  ask: (question) => ['-p', question, '--allowedTools', 'mcp__waymark'],
};
