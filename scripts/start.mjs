/** `npm start [-- PATH]`: sets up, then serves this checkout's Waymark for PATH, or for the directory it was started in. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, root } from './setup.mjs';

ensureInstalled();
ensureBuilt();

// npm changes to the checkout before it runs this; a relative path is meant from where it was typed.
const { INIT_CWD, npm_lifecycle_event: script } = process.env;
const cwd = script === 'start' && INIT_CWD !== undefined ? INIT_CWD : process.cwd();

const server = spawn(
  process.execPath,
  [join(root, 'dist', 'main.js'), 'serve', '--project-from-cwd', ...process.argv.slice(2)],
  {
    cwd,
    stdio: 'inherit',
  },
);
// Ctrl-C reaches the whole group: the server hears it by itself, and hearing it twice would cut its closing short.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal));
server.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
