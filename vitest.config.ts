import { defineConfig } from 'vitest/config';

// The configuration file's default export is vitest's own rule.
export default defineConfig({
  define: { WAYMARK_VERSION: JSON.stringify('0.0.0-test') },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    environment: 'node',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Tests spawn servers of their own and often wait for them: three files at a time fill two cores.
    maxWorkers: 3,
    restoreMocks: true,
  },
});
