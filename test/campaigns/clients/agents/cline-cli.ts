import { KEY, MODEL, type Agent } from '../agent.ts';

export const CLINE_CLI: Agent = {
  id: 'cline-cli',
  name: 'Cline CLI',
  package: 'cline',
  program: '@cline/cli-linux-x64/bin/cline',
  runsOn: 'itself',
  files: () => ({ '.cline/data/settings/cline_mcp_settings.json': '{\n  "mcpServers": {}\n}\n' }),
  env: () => ({}),
  prepare: ({ modelUrl }) => [
    ['auth', '-p', 'openai-compatible', '-k', KEY, '-m', MODEL, '-b', `${modelUrl}/v1`],
  ],
  ask: (question) => [question, '-P', 'openai-compatible', '-m', MODEL],
};
