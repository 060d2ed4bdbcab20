/** Put in by the build from package.json. */
declare const WAYMARK_VERSION: string;
/** The name of the program in one file, which the build compiles. */
declare const WAYMARK_PROGRAM: string;
/** The name of the file that a parser child is compiled from, beside `parser-child.js`. */
declare const WAYMARK_PARSER: string;
