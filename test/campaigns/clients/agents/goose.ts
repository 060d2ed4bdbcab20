import { KEY, MODEL, type Agent } from '../agent.ts';

export const GOOSE: Agent = {
  id: 'goose',
  name: 'Goose',
  package: '@aaif/goose-binary-linux-x64',
  program: '@aaif/goose-binary-linux-x64/bin/goose',
  runsOn: 'itself',
  files: () => ({
    '.config/goose/config.yaml': `GOOSE_PROVIDER: openai\nGOOSE_MODEL: ${MODEL}\nGOOSE_MODE: auto\n`,
  }),
  env: ({ modelUrl }) => ({
    OPENAI_HOST: modelUrl,
    OPENAI_API_KEY: KEY,
    GOOSE_DISABLE_KEYRING: '1',
  }),
  ask: (question) => ['run', '-t', question],
};
