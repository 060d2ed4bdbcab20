import { KEY, MODEL, type Agent } from '../agent.ts';

export const CONTINUE_CLI: Agent = {
  id: 'continue-cli',
  name: 'Continue CLI',
  package: '@continuedev/cli',
  program: '@continuedev/cli/dist/cn.js',
  runsOn: 'node',
  files: ({ modelUrl }) => ({
    '.continue/config.yaml': `name: local
version: 0.0.1
schema: v1
models:
  - name: ${MODEL}
    provider: openai
    model: ${MODEL}
    apiBase: ${modelUrl}/v1
    apiKey: ${KEY}
    capabilities:
      - tool_use
    roles:
      - chat
`,
  }),
  env: () => ({ CONTINUE_TELEMETRY_ENABLED: '0' }),
  ask: (question) => ['-p', question, '--auto'],
};
