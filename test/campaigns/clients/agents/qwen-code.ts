import { KEY, MODEL, type Agent } from '../agent.ts';

export const QWEN_CODE: Agent = {
  id: 'qwen-code',
  name: 'Qwen Code',
  package: '@qwen-code/qwen-code',
  program: '@qwen-code/qwen-code/cli-entry.js',
  runsOn: 'node',
  files: () => ({
    '.qwen/settings.json': `${JSON.stringify(
      {
        security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        general: { disableAutoUpdate: true },
      },
      null,
      2,
    )}\n`,
  }),
  env: ({ modelUrl }) => ({
    OPENAI_BASE_URL: `${modelUrl}/v1`,
    OPENAI_API_KEY: KEY,
    OPENAI_MODEL: MODEL,
  }),
  ask: (question) => ['-p', question, '--yolo'],
};
