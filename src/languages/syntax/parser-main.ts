/** The module of a parser child: built as `dist/parser-child.js`, started with the folder of the grammars. */
import { runParserProcess } from './parser-process.ts';

const [grammars = ''] = process.argv.slice(2);
await runParserProcess(grammars);
