/** Waymark's own HTTP edge and listener, wired by the app as always, with the fixture's servers behind them. */
import { createApp } from '../../src/app.ts';
import { resolveConfig } from '../../src/config/index.ts';
import { createFixtureServers } from './fixture-servers.ts';

export interface Fixture {
  readonly url: string;
  close(): Promise<void>;
}

/** `folder` takes what the app writes; the fixture leaves nothing outside of it. */
export async function openFixture(folder: string): Promise<Fixture> {
  const { config } = resolveConfig({
    env: { HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder, XDG_CACHE_HOME: folder },
    flags: { port: '0', logLevel: 'error' },
    cwd: folder,
  });
  const app = createApp({ config, environment: () => ({}), servers: async () => createFixtureServers() });
  const { url } = await app.listen();
  return { url, close: () => app.close() };
}
