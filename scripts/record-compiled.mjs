/** Runs the program like the bin does, and keeps what V8 has compiled of it at the end. `record-compiled.mjs LOADER PROGRAM args…` */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';

const [absLoader, absProgram, ...args] = process.argv.slice(2);
const { compiledFileOf, keepHeapSmall, readProgram, runProgram } = await import(
  pathToFileURL(absLoader).href
);
keepHeapSmall();
const absCompiled = compiledFileOf(absProgram, args[0]);
// What an earlier run has compiled is kept with what this one adds.
const cachedData = existsSync(absCompiled) ? readFileSync(absCompiled) : undefined;
const script = new Script(readProgram(absProgram), { filename: absProgram, cachedData });
if (script.cachedDataRejected === true) throw new Error('What was compiled a moment ago is refused.');
process.argv = [process.execPath, absProgram, ...args];
process.on('exit', () => writeFileSync(absCompiled, script.createCachedData()));
process.exit(await runProgram(script, absProgram).run());
