/** Waymark's own listener in this process, with the tools a test brings. */
import { onTestFinished } from 'vitest';
import { createApp } from '../../src/app.ts';
import { resolveConfig } from '../../src/config/index.ts';
import { createServerFactory, type ServerFactory } from '../../src/mcp/index.ts';
import { createDetector } from '../../src/project/index.ts';
import { silentLogger } from '../../src/text/index.ts';
import type { Resource, Tool } from '../../src/tools/index.ts';
import { tempFolder, type OnEnd } from './temp-folder.ts';

export interface FixtureOptions {
  readonly tools?: readonly Tool[];
  readonly resources?: readonly Resource[];
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

export function fixtureFactory({ tools = [], resources = [] }: FixtureOptions): ServerFactory {
  return createServerFactory({
    version: '0.0.0-test',
    tools,
    resources,
    prompts: [],
    detector: createDetector({ environment: () => ({}), projectFromCwd: false }),
    logger: silentLogger,
    newReference: () => 'ref-1',
  });
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
