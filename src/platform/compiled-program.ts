/** A program that was compiled when it was built, so that a start need not read and compile a megabyte of source. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

/** Commands with a compiled form of their own: V8 unpacks all that is in it, and each needs a third of what a server does. */
const COMMANDS_APART = ['search'];

/**
 * Where the code that this very Node compiled is kept beside the program. Another V8 would refuse it: it is not even asked.
 * `command`: the first argument of the program.
 */
export function compiledFileOf(absProgram: string, command?: string): string {
  const apart = command !== undefined && COMMANDS_APART.includes(command) ? `-${command}` : '';
  return `${absProgram}.v8-${process.versions.v8}-${process.arch}${apart}`;
}

/**
 * What a CommonJS program exports, from its compiled form; nothing if there is none for this Node and its flags. V8 checks
 * the version, the flags and the length of the source by itself.
 */
export function loadCompiled<Exports>(absProgram: string, command?: string): Exports | undefined {
  let script: Script;
  try {
    const cachedData = readFileSync(compiledFileOf(absProgram, command));
    script = new Script(readProgram(absProgram), { filename: absProgram, cachedData });
  } catch {
    return undefined;
  }
  return script.cachedDataRejected === false ? runProgram<Exports>(script, absProgram) : undefined;
}

/** The source as it is compiled: the parameters are those that Node gives to a CommonJS module. */
export function readProgram(absProgram: string): string {
  // The build writes ASCII only, which is read fastest so.
  return `(function (exports, require, module, __filename, __dirname) {${readFileSync(absProgram, 'latin1')}\n})`;
}

/** Runs it as Node would run the file. */
export function runProgram<Exports>(script: Script, absProgram: string): Exports {
  const module = { exports: {} };
  // vm knows no types: the text of readProgram is one function.
  const start = script.runInThisContext() as (...parameters: readonly unknown[]) => void;
  start(module.exports, createRequire(absProgram), module, absProgram, dirname(absProgram));
  // Whoever names a program knows what it exports.
  return module.exports as Exports;
}
