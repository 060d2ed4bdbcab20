/** Parses one file for ever, to be killed meanwhile: `parse-program CHILD_MODULE TEXT`. */
import { createExactParser } from '../../src/languages/index.ts';

const [absChildModule = '', text = ''] = process.argv.slice(2);
const parser = createExactParser({ absChildModule, limits: { children: 1, timeoutMs: 600_000 } });
for await (const outcome of parser.parse(
  [{ path: 'a.py', language: 'python', text }],
  new AbortController().signal,
)) {
  process.stdout.write(`${outcome.kind}\n`);
}
