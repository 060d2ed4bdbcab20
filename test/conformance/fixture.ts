/** node scripts/run-ts.mjs test/conformance/fixture.ts: prints its address, serves until its input ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFixture } from './open-fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'waymark-conformance-'));
const fixture = await openFixture(folder);
process.stdout.write(`${fixture.url}\n`);
// The parent process holds our input open; when it is gone, we end too.
await new Promise<void>((resolve) => {
  process.stdin.resume().once('end', resolve).once('error', resolve);
  process.once('SIGTERM', resolve).once('SIGINT', resolve);
});
await fixture.close();
rmSync(folder, { recursive: true, force: true });
process.exit(0);
