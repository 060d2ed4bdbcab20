/**
 * The page at the size of a long life: 1,000 projects, 50,000 entries, a project of 5,000 files, 200 calls a second, and thousands of
 * hostile texts. npm run campaign:page -- [--projects 1000] [--entries 50000] [--files 5000] [--seconds 10] [--rounds 8]
 */
import { parseArgs } from 'node:util';
import { runPageCampaign } from './page/page-campaign.ts';
import { atLeast, atMost, none, printVerdict, shown } from './memory/verdict.ts';

const { values } = parseArgs({
  options: {
    projects: { type: 'string', default: '1000' },
    entries: { type: 'string', default: '50000' },
    files: { type: 'string', default: '5000' },
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '8' },
  },
});
const report = await runPageCampaign({
  projects: Number(values.projects),
  entries: Number(values.entries),
  files: Number(values.files),
  seconds: Number(values.seconds),
  rounds: Number(values.rounds),
});
printVerdict(
  [
    atMost('first paint (ms)', report.firstPaintMs, 300),
    ...report.screens.map(({ name, ms }) => shown(`${name} is there (ms)`, ms)),
    atMost('a map of the files can be used (ms)', report.mapMs, 1_000),
    none('serious findings of axe', report.audit.length),
    none('screens too wide for a phone', report.wide.length),
    shown('calls while Live is open, per second', report.live.callsPerSecond),
    atLeast('of them told to the page', report.live.toldShare, 1),
    atMost('longest gap between two frames (ms)', report.live.longestFrameMs, 250),
    atMost('rows in the table', report.live.rows, 200),
    shown('hostile texts', report.hostile.count),
    none('of them that ran or became markup', report.hostile.found.length),
    none('scripts refused, errors, dialogs', report.troubles.length),
    none('requests to another address', report.strayed.length),
  ],
  [...report.audit, ...report.wide, ...report.hostile.found, ...report.troubles, ...report.strayed].slice(
    0,
    20,
  ),
);
