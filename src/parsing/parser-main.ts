/** The module of a parser child: built as `dist/parser-child.js`, started with the folder of the grammars. */
import { runParserProcess } from './parser-process.ts';

await runParserProcess(process.argv[2] ?? '');
