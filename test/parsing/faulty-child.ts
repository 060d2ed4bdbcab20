/** A parser child that breaks in the way a file's first line asks for. Only tests start it. */
import { writeFileSync } from 'node:fs';
import { runParserProcess } from '../../src/languages/syntax/parser-process.ts';

await runParserProcess(process.argv[2] ?? '', (syntax) => ({
  read: async (language, text) => {
    const [, fault, absPidFile] = /^# fault: (\w+)(?: (\S+))?\n/.exec(text) ?? [];
    if (absPidFile !== undefined) writeFileSync(absPidFile, String(process.pid));
    if (fault === 'crash') process.abort();
    // An endless loop keeps its processor busy: one that waits would look like a file on a machine that is held up.
    while (fault === 'hang');
    // As where the machine is halted, or gives its time to others.
    if (fault === 'halt') process.kill(process.pid, 'SIGSTOP');
    if (fault === 'memory') {
      const kept: number[][] = [];
      // Filled by the system: what counts is that there is no room, and not the time until then.
      for (;;) kept.push(new Array<number>(1_000_000).fill(0.5));
    }
    if (fault === 'trap') throw new Error('unreachable');
    const read = await syntax.read(language, text);
    // As if foreign code had got hold of the channel.
    if (fault === 'lie') return { ...read, definitions: [{ name: 7 }] } as never; // A wrong answer is the point.
    return read;
  },
}));
