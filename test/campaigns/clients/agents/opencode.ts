import type { Agent } from '../agent.ts';
import { compatibleProvider } from './compatible-provider.ts';

export const OPENCODE: Agent = {
  id: 'opencode',
  name: 'opencode',
  package: 'opencode-ai',
  program: 'opencode-linux-x64/bin/opencode',
  runsOn: 'itself',
  files: (place) => ({ '.config/opencode/opencode.json': compatibleProvider(place) }),
  env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
  ask: (question) => ['run', question],
};
