import { KEY, MODEL, type Agent } from '../agent.ts';

export const KIMI_CODE: Agent = {
  id: 'kimi-code',
  name: 'Kimi Code',
  package: '@moonshot-ai/kimi-code',
  program: '@moonshot-ai/kimi-code/dist/main.mjs',
  runsOn: 'node',
  files: ({ modelUrl }) => ({
    '.kimi-code/config.toml': `default_model = "local/${MODEL}"

[providers.local]
type = "openai"
base_url = "${modelUrl}/v1"
api_key = "${KEY}"

[models."local/${MODEL}"]
provider = "local"
model = "${MODEL}"
max_context_size = 100000
`,
  }),
  env: () => ({}),
  ask: (question) => ['-p', question],
};
