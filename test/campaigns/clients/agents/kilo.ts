import type { Agent } from '../agent.ts';
import { compatibleProvider } from './compatible-provider.ts';

export const KILO: Agent = {
  id: 'kilo',
  name: 'Kilo',
  package: '@kilocode/cli-linux-x64',
  program: '@kilocode/cli-linux-x64/bin/kilo',
  runsOn: 'itself',
  files: (place) => ({ '.config/kilo/kilo.json': compatibleProvider(place) }),
  env: () => ({ KILO_DISABLE_AUTOUPDATE: '1', KILO_DISABLE_MODELS_FETCH: '1' }),
  ask: (question) => ['run', question],
};
