/** npm run fuzz:files -- --kind git [--cases 100000] [--seed 1] [--lanes 1] [--only INDEX] [--keep DIR] */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runFuzz } from './fuzz/fuzz-campaign.ts';
import { KINDS } from './fuzz/kinds.ts';
import { atLeast, atMost, none, printVerdict, shown } from './memory/verdict.ts';

const MOST_SHOWN = 20;
const { values } = parseArgs({
  options: {
    kind: { type: 'string', default: KINDS.map(({ name }) => name).join(',') },
    cases: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    lanes: { type: 'string', default: '1' },
    only: { type: 'string' },
    keep: { type: 'string', default: join(tmpdir(), 'waymark-fuzz-findings') },
  },
});
const only = values.only === undefined ? undefined : Number(values.only);
const seed = Number(values.seed);
const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'waymark-fuzz-'));
try {
  for (const kind of values.kind.split(',')) {
    const cases = only === undefined ? Number(values.cases) : 1;
    const report = await runFuzz({
      kind,
      seed,
      cases,
      folder,
      keep: resolve(values.keep),
      lanes: Number(values.lanes),
      ...(only === undefined ? {} : { from: only }),
    });
    printVerdict(
      [
        atLeast(`${kind}: cases, seed ${seed}`, report.cases, cases),
        none('crashes, hangs over 1 s, growth over 100 MB, wrong answers', report.findings.length),
        shown('slowest, ms', report.slowestMs),
        atMost('growth of memory at rest in one process, MB', report.grownMb, 100),
        shown('lines run, %', (100 * report.linesRun) / Math.max(1, report.lines)),
        shown('of lines', report.lines),
        shown('time, s', report.seconds),
      ],
      report.findings
        .slice(0, MOST_SHOWN)
        .map(
          ({ index, name, what, kept }) =>
            `${name}: ${what}\n  again: npm run fuzz:files -- --kind ${kind} --seed ${seed} --only ${index}${kept === undefined ? '' : `\n  bytes: ${kept}`}`,
        ),
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
