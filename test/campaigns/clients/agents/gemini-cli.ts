import { KEY, type Agent } from '../agent.ts';

export const GEMINI_CLI: Agent = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  package: '@google/gemini-cli',
  program: '@google/gemini-cli/bundle/gemini.js',
  runsOn: 'node',
  files: () => ({
    '.gemini/settings.json': `${JSON.stringify(
      {
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false },
      },
      null,
      2,
    )}\n`,
  }),
  env: ({ modelUrl }) => ({ GOOGLE_GEMINI_BASE_URL: modelUrl, GEMINI_API_KEY: KEY }),
  // A model that is named is not chosen by asking another one first.
  ask: (question) => ['-p', question, '--yolo', '-m', 'gemini-2.5-flash'],
};
