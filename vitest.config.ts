import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

// As the build puts it in: commands in this process and started programs tell each other their version.
const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

// The configuration file's default export is vitest's own rule.
export default defineConfig({
  define: { WAYMARK_VERSION: JSON.stringify(version) },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    environment: 'node',
    // They end what hangs, and judge no machine.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Files of one worker share its modules, which hold no state (the check of the house sees to that): loading them anew for
    // each file took a fifth of all processor time. What a test changes of the process it puts back.
    isolate: false,
    unstubEnvs: true,
    // Tests spawn servers of their own and often wait for them: three files at a time fill two cores.
    maxWorkers: 3,
    restoreMocks: true,
  },
});
