/**
 * Compiles kernel/ with AssemblyScript (tools/kernel) and writes the bytes into src/kernel as modules, so that nothing has to be found at
 * run time, with a digest of what they were made from.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { withTools } from './tool-packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
// No garbage collection, no checks of our own: all of it works on memory that it was given.
const FLAGS = [
  '-O3',
  '--runtime',
  'stub',
  '--noAssert',
  '--use',
  'abort=',
  '--enable',
  'bulk-memory',
  '--initialMemory',
  '1',
];

/** The modules, by the file in src/kernel that holds them. The plain one is for processors without SIMD. */
const MODULES = {
  'finder-wasm.ts': [{ name: 'FINDER_WASM', entry: 'kernel/finder.ts', simd: false }],
  'scan-wasm.ts': [{ name: 'SCAN_WASM', entry: 'kernel/scan.ts', simd: true }],
  'segment-wasm.ts': [{ name: 'SEGMENT_WASM', entry: 'kernel/segment.ts', simd: false }],
  'tokens-wasm.ts': [{ name: 'TOKENS_WASM', entry: 'kernel/tokens.ts', simd: false }],
  'words-wasm.ts': [
    { name: 'WORDS_WASM', entry: 'kernel/file.ts', simd: true },
    { name: 'WORDS_WASM_PLAIN', entry: 'kernel/file.ts', simd: false },
  ],
};

/** What the modules are made from: the source, the flags and the version of the compiler. A test compares it with what stands in src/kernel. */
export function kernelDigest() {
  const hash = createHash('sha256');
  const sources = readdirSync(`${root}kernel`).filter((name) => name.endsWith('.ts'));
  for (const name of sources.toSorted())
    hash.update(`${name}\0${readFileSync(`${root}kernel/${name}`, 'utf8')}\0`);
  hash
    .update(JSON.stringify([FLAGS, MODULES]))
    .update(readFileSync(`${root}tools/kernel/package-lock.json`, 'utf8'));
  return hash.digest('hex');
}

/** The first line of each file that is made here. */
export function headOf() {
  return `/** Made from kernel/ by \`npm run kernel\`; a test compares the source: sha256 ${kernelDigest()}. */\n`;
}

/** The files of src/kernel that are made here. */
export const KERNEL_FILES = Object.keys(MODULES);

/** @returns {Promise<Readonly<Record<string, string>>>} what each of them should say */
async function compileKernel(absModules) {
  const { default: asc } = await import(pathToFileURL(`${absModules}/assemblyscript/dist/asc.js`).href);
  /** @type {Record<string, string>} */
  const files = {};
  for (const [file, modules] of Object.entries(MODULES)) {
    const constants = [];
    for (const { name, entry, simd } of modules) {
      const base64 = await compile(asc, entry, simd);
      constants.push(`export const ${name} =\n  '${base64}';\n`);
    }
    files[file] = `${headOf()}${constants.join('')}`;
  }
  return files;
}

/**
 * @param {any} asc  The compiler.
 * @param {string} entry
 * @param {boolean} simd
 */
async function compile(asc, entry, simd) {
  let bytes = new Uint8Array();
  let said = '';
  const { error } = await asc.main(
    [entry, ...FLAGS, simd ? '--enable' : '--disable', 'simd', '--outFile', 'out.wasm'],
    {
      readFile: (name, baseDir) => readIfThere(`${root}${baseDir}/${name}`),
      writeFile: (_, contents) => {
        if (typeof contents !== 'string') bytes = contents;
      },
      listFiles: () => [],
      stderr: { write: (text) => void (said += String(text)) },
    },
  );
  if (error !== null) throw new Error(`${entry} does not compile:\n${said}`);
  return Buffer.from(bytes).toString('base64');
}

/** @param {string} absPath */
function readIfThere(absPath) {
  try {
    return readFileSync(absPath, 'utf8');
  } catch {
    return null;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [file, contents] of Object.entries(await withTools('kernel', compileKernel)))
    writeFileSync(`${root}src/kernel/${file}`, contents);
}
