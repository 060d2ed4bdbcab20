/** npm run campaign:markdown -- [--interleavings 2000] [--seed N] [--folder DIR] */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleEntry } from '../support/bundle-entry.ts';
import { atLeast, none, printVerdict, shown } from './memory/verdict.ts';
import { runMarkdownCampaign } from './markdown/markdown-campaign.ts';

const { values } = parseArgs({
  options: {
    interleavings: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    folder: { type: 'string', default: tmpdir() },
  },
});
const folder = mkdtempSync(join(values.folder, 'waymark-markdown-'));
const program = await bundleEntry('test/campaigns/markdown/sync-program.ts');
try {
  const report = await runMarkdownCampaign({
    folder,
    interleavings: Number(values.interleavings),
    seed: Number(values.seed),
    program: program.absPath,
  });
  printVerdict(
    [
      atLeast('interleavings', report.interleavings, Number(values.interleavings)),
      shown('steps', report.steps),
      shown('merges by git', report.merges),
      shown('of them with conflicts', report.conflicts),
      shown('runs killed in the middle', report.kills),
      shown('times that three processes stepped at once', report.together),
      shown('entries that say the same as another', report.doubled),
      none('texts lost', report.lost.length),
      none('sides unequal, or ids that changed', report.unequal.length),
    ],
    [`seed ${values.seed}`, ...report.lost.slice(0, 20), ...report.unequal.slice(0, 20)],
  );
} finally {
  program.remove();
  rmSync(folder, { recursive: true, force: true });
}
