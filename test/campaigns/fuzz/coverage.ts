/** Which lines of the product a process ran, by V8's precise coverage of a bundle; modules are told apart by esbuild's comments. */
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { pathToFileURL } from 'node:url';

export interface LineCoverage {
  readonly lines: number;
  /** Numbers of the bundle's lines that ran. */
  readonly ran: readonly number[];
}

export interface CoverageRecorder {
  take(): LineCoverage;
}

export function recordCoverage(bundle: string, rooms: readonly string[]): CoverageRecorder {
  const session = new Session();
  session.connect();
  // The session answers at once: it is in this thread.
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: true });
  return {
    take() {
      const url = pathToFileURL(bundle).href;
      const ranges: Range[] = [];
      session.post('Profiler.takePreciseCoverage', (error, { result }) => {
        if (error !== null) throw error;
        for (const script of result)
          if (script.url === url) for (const { ranges: own } of script.functions) ranges.push(...own);
      });
      return linesOf(readFileSync(bundle, 'utf8'), ranges, rooms);
    },
  };
}

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

function linesOf(source: string, ranges: readonly Range[], rooms: readonly string[]): LineCoverage {
  const ran = new Uint8Array(source.length);
  // The innermost range that holds a character says whether it ran.
  const outerFirst = ranges.toSorted((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  for (const { startOffset, endOffset, count } of outerFirst)
    ran.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  const covered: number[] = [];
  let [lines, at, isOurs] = [0, 0, false];
  for (const [number, line] of source.split('\n').entries()) {
    const [, module] = /^ *\/\/ ((?:src|test|node_modules)\/\S+)$/.exec(line) ?? [];
    if (module !== undefined) isOurs = rooms.some((room) => module.startsWith(`${room}/`));
    const first = line.search(/[^\s})\];,]/);
    if (isOurs && first !== -1 && !/^\s*(?:\/\/|\*|\/\*)/.test(line)) {
      lines += 1;
      if (ran[at + first] === 1) covered.push(number);
    }
    at += line.length + 1;
  }
  return { lines, ran: covered };
}
