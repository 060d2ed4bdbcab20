/** Assembles src/embedding/kernel.wat and writes its bytes beside it as a module, so that nothing has to be found at run time. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import initWabt from 'wabt';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @returns {Promise<string>} base64 of the module */
export async function assembleKernel() {
  const wabt = await initWabt();
  const source = `${root}src/embedding/kernel.wat`;
  const module = wabt.parseWat(source, readFileSync(source, 'utf8'), { simd: true });
  try {
    return Buffer.from(module.toBinary({}).buffer).toString('base64');
  } finally {
    module.destroy();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const base64 = await assembleKernel();
  writeFileSync(
    `${root}src/embedding/kernel-wasm.ts`,
    `/** Made from kernel.wat by \`npm run kernel\`; a test compares. */\nexport const KERNEL_WASM =\n  '${base64}';\n`,
  );
}
