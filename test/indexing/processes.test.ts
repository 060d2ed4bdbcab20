/** Many processes on one project, as ten editors make them. `npm run campaign:watch` is the long version, with figures. */
import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { canLimitWatches, startFollower } from '../campaigns/watch/follower-process.ts';
import { plantProject, runExhausted, runWatchCampaign } from '../campaigns/watch/watch-campaign.ts';
import { bundleEntry, type BundledEntry } from '../support/bundle-entry.ts';
import { tempFolder } from '../support/temp-folder.ts';

let bundle: BundledEntry;
beforeAll(async () => {
  bundle = await bundleEntry('test/campaigns/watch/follower-program.ts');
});
afterAll(() => bundle.remove());

test('of ten processes one indexes, all see a change, and another takes over when it is killed', async () => {
  const { path: folder } = tempFolder();

  const report = await runWatchCampaign({
    program: bundle.absPath,
    folder,
    processes: 10,
    files: 60,
    rounds: 2,
  });

  expect(report.complaints).toEqual([]);
  expect(report.leaders).toEqual([1, 1, 1]);
  expect(report.indexers).toBe(1);
  expect(report.seenMs).toHaveLength(20);
}, 120_000);

test('a process without watches looks at the files, and says so once', async () => {
  // Where the machine has no user namespaces, follow.test.ts takes the watches away inside the process.
  const watches = canLimitWatches() ? { watches: 2 } : {};
  const { path: folder } = tempFolder();

  const report = await runExhausted({ program: bundle.absPath, folder, files: 60, rounds: 1, ...watches });

  const isLimited = 'watches' in watches;
  expect(report).toMatchObject({ by: isLimited ? 'looking' : 'events', warnings: isLimited ? 1 : 0 });
  expect(report.seenMs).toHaveLength(1);
}, 120_000);

test('following keeps no process alive', async () => {
  const folder = tempFolder();
  mkdirSync(folder.join('home'));
  const root = plantProject(folder.join('project'), 20);
  const follower = startFollower({ program: bundle.absPath, root, home: folder.join('home') });
  await follower.fresh();

  follower.leave();

  expect(await follower.ended).toMatchObject({ code: 0, stderr: '' });
}, 120_000);
