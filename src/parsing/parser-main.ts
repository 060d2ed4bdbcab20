/**
 * The module of a parser child: built as `dist/parser-child.js`, started with the folder of the grammars. What it does is compiled
 * beforehand where the build did that for this Node, as the program itself is.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadCompiled } from '../platform/index.ts';
import { FROM_SOURCE } from './parser-flags.ts';

type ParserProcess = typeof import('./parser-process.ts');

const [grammars = '', how] = process.argv.slice(2);
const absProgram = join(dirname(fileURLToPath(import.meta.url)), WAYMARK_PARSER);
const compiled = how === FROM_SOURCE ? undefined : loadCompiled<ParserProcess>(absProgram);
const { runParserProcess } = compiled ?? (await import('./parser-process.ts'));
await runParserProcess(grammars);
