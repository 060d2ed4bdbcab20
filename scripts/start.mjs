/** `npm start`: sets up, then serves this checkout's Waymark for the directory it was started in. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, root } from './setup.mjs';

ensureInstalled();
ensureBuilt();

const server = spawn(
  process.execPath,
  [join(root, 'dist', 'main.js'), 'serve', '--project-from-cwd', ...process.argv.slice(2)],
  {
    stdio: 'inherit',
  },
);
// Ctrl-C reaches the whole group: the server hears it by itself, and hearing it twice would cut its closing short.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal));
server.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
