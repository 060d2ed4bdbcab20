/** `waymark mcp` with tools that wait and print, as a process of its own. Says `entered` on stderr when a call waits. */
import { createApp } from '../../src/app.ts';
import { serveStdio } from '../../src/cli/commands/serve.ts';
import { resolveConfig } from '../../src/config/index.ts';
import { fixtureFactory } from '../support/fixture-factory.ts';
import { createGate, printTool, waitTool } from '../support/fixture-tools.ts';

const stop = new AbortController();
const gate = createGate();
void gate.entered.then(() => process.stderr.write('entered\n'));
void gate.cancelled.then(() => process.stderr.write('cancelled\n'));
process.once('SIGTERM', () => {
  stop.abort('SIGTERM');
  // The call under way ends only after the server was asked to stop.
  setImmediate(() => gate.open());
});
const { config } = resolveConfig({ env: process.env });
const app = createApp({
  config,
  servers: async () => fixtureFactory({ tools: [waitTool(gate), printTool] }),
});
await serveStdio({ stop: stop.signal, front: async () => app });
await app.close();
process.exit(0);
