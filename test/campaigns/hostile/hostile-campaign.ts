/** Many hostile repositories, one after another, each in a folder of its own. */
import type { Family, Fixture } from './fixture.ts';
import { runFixture, type FixtureReport } from './run-fixture.ts';
import { canTrace } from './traced-run.ts';

export interface HostileOptions {
  readonly families: readonly Family[];
  readonly isLong: boolean;
  /** Learned anew if left out. */
  readonly usual?: Usual | undefined;
  readonly onReport?: (family: Family, fixture: Fixture, report: FixtureReport) => void;
}

export interface HostileReport {
  readonly fixtures: number;
  readonly traced: boolean;
  readonly slowestMs: number;
  /** Each with the fixture it was seen in. */
  readonly findings: readonly string[];
}

const ORDINARY: Fixture = { name: 'an ordinary repository', make: () => undefined };

export interface Usual {
  readonly traced: boolean;
  readonly usual: ReadonlySet<string>;
}

/** What Node, its libraries and our own files need is learned from a repository that does no harm. */
export async function learnUsual(): Promise<Usual> {
  const traced = canTrace();
  const { touched } = await runFixture(ORDINARY, { traced, usual: new Set() });
  return { traced, usual: new Set(touched) };
}

export async function runHostileRepositories({
  families,
  isLong,
  usual,
  onReport,
}: HostileOptions): Promise<HostileReport> {
  const options = usual ?? (await learnUsual());
  const findings: string[] = [];
  let [fixtures, slowestMs] = [0, 0];
  for (const family of families) {
    for (const fixture of family.fixtures) {
      if (fixture.isLongOnly === true && !isLong) continue;
      const report = await runFixture(fixture, options);
      fixtures += 1;
      slowestMs = Math.max(slowestMs, report.ms);
      findings.push(...report.findings.map((finding) => `${family.name}: ${fixture.name}: ${finding}`));
      onReport?.(family, fixture, report);
    }
  }
  return { fixtures, traced: options.traced, slowestMs, findings };
}
