#!/usr/bin/env node
/** The bin: starts the program, compiled beforehand where the build did that for this Node, else from its sources. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileQuickly, keepHeapSmall, keepNurserySmall, loadCompiled } from './platform/index.ts';

type Program = typeof import('./program.ts');

// Before anything is compiled: V8 takes compiled code only from a process with the same flags.
keepHeapSmall();
const absProgram = join(dirname(fileURLToPath(import.meta.url)), WAYMARK_PROGRAM);
const program = loadCompiled<Program>(absProgram, process.argv[2]) ?? (await import('./program.ts'));
keepNurserySmall();
compileQuickly();
process.exit(await program.run());
