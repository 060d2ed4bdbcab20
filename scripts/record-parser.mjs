/**
 * A parser child that keeps what V8 has compiled of it when it is told to. Started with the flags of a child, so that V8
 * takes it there. `record-parser.mjs LOADER PROGRAM GRAMMARS`
 */
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

const [absLoader, absProgram, grammars] = process.argv.slice(2);
const { compiledFileOf, readProgram, runProgram } = await import(pathToFileURL(absLoader).href);
const script = new Script(readProgram(absProgram), { filename: absProgram });
process.on('message', (message) => {
  if (message.keep !== true) return;
  // As they were when it started: the child has turned them off since.
  for (const flag of ['--wasm-dynamic-tiering', '--wasm-tier-up']) setFlagsFromString(flag);
  writeFileSync(compiledFileOf(absProgram), script.createCachedData());
  process.send({ kept: true });
});
await runProgram(script, absProgram).runParserProcess(grammars);
