/** Waymark's own listener in this process, with the tools a test brings. */
import { onTestFinished } from 'vitest';
import { createApp } from '../../src/app.ts';
import { resolveConfig } from '../../src/config/index.ts';
import type { ServerFactory } from '../../src/mcp/index.ts';
import { fixtureFactory, type FixtureParts } from './fixture-factory.ts';
import { tempFolder, type OnEnd } from './temp-folder.ts';

export interface FixtureOptions extends FixtureParts {
  /** Another maker of servers altogether. */
  readonly factory?: ServerFactory;
  /** Settings by key, as flags would give them. */
  readonly settings?: Readonly<Record<string, string | boolean | readonly string[]>>;
  readonly onEnd?: OnEnd;
}

export interface FixtureApp {
  readonly port: number;
  close(): Promise<void>;
}

export async function openFixtureApp(options: FixtureOptions): Promise<FixtureApp> {
  const onEnd = options.onEnd ?? onTestFinished;
  const home = tempFolder({}, onEnd);
  const { config } = resolveConfig({
    flags: { port: '0', logFile: home.join('log'), ...options.settings },
    env: { HOME: home.path },
  });
  const factory = options.factory ?? fixtureFactory(options);
  const app = createApp({ config, servers: async () => factory });
  onEnd(() => app.close());
  const { port } = await app.listen();
  return { port, close: () => app.close() };
}
