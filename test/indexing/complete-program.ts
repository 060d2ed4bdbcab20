/** A program that uses the library and forgets to close it. */
import { createApp } from '../../src/app.ts';
import { resolveConfig } from '../../src/config/index.ts';

const [root = ''] = process.argv.slice(2);
const { config } = resolveConfig({ env: { ...process.env, WAYMARK_LOG_LEVEL: 'error' } });
const { indexing } = createApp({ config });
const { parsed } = await indexing.complete(root, { signal: new AbortController().signal });
process.stdout.write(`${parsed?.exact} parsed\n`);
