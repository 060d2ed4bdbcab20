import { KEY, MODEL, type Agent } from '../agent.ts';

export const COPILOT_CLI: Agent = {
  id: 'copilot-cli',
  name: 'Copilot CLI',
  package: '@github/copilot',
  program: '@github/copilot/npm-loader.js',
  runsOn: 'node',
  files: () => ({ '.copilot/config.json': '{}\n' }),
  env: ({ modelUrl }) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
    COPILOT_PROVIDER_API_KEY: KEY,
    COPILOT_MODEL: MODEL,
    COPILOT_AUTO_UPDATE: 'false',
  }),
  ask: (question) => ['-p', question, '--allow-all-tools'],
};
