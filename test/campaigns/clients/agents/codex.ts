import { KEY, MODEL, type Agent } from '../agent.ts';

export const CODEX: Agent = {
  id: 'codex',
  name: 'Codex',
  package: '@openai/codex',
  program: '@openai/codex/bin/codex.js',
  runsOn: 'node',
  files: ({ modelUrl }) => ({
    '.codex/config.toml': `model = "${MODEL}"
model_provider = "local"

[model_providers.local]
name = "local"
base_url = "${modelUrl}/v1"
env_key = "LOCAL_KEY"
wire_api = "responses"
`,
  }),
  env: () => ({ LOCAL_KEY: KEY }),
  ask: (question) => [
    'exec',
    '--skip-git-repo-check',
    '--dangerously-bypass-approvals-and-sandbox',
    question,
  ],
};
