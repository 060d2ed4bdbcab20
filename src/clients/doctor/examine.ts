/** Looks at everything, changes nothing. */
import { join } from 'node:path';
import type { Clock } from '../../core/index.ts';
import { countOf } from '../../text/index.ts';
import type { Places } from '../client.ts';
import type { WrittenFile } from '../manifest.ts';
import { checkClients } from './check-clients.ts';
import { checkFolder, checkMemories, checkStores } from './check-stores.ts';
import { checkDisk, checkRuntime, checkServers } from './check-runtime.ts';
import { note, ok, problem, type Finding } from './finding.ts';

/** What came of asking a service. */
export interface Tried {
  readonly works: boolean;
  readonly seen: string;
}

interface Examination {
  readonly version: string;
  readonly dataDir: string;
  readonly cacheDir: string;
  readonly places: Places;
  readonly root: string | undefined;
  readonly written: readonly WrittenFile[];
  readonly clock: Clock;
  /** Warnings about the settings. */
  readonly warnings: readonly string[];
  /** How many files changed since the project was indexed; undefined if it never was. Asked only of a sound index. */
  readonly pending?: (root: string) => Promise<number | undefined>;
  /** Whether the encoder works. Asked only if the index is sound. */
  readonly encoder?: () => Promise<Tried>;
  /** Whether the reranker works; undefined where none is named. */
  readonly reranker?: () => Promise<Tried | undefined>;
  /** Languages whose parser is missing. */
  readonly missingGrammars?: () => Promise<readonly string[]>;
}

export async function examine(exam: Examination): Promise<readonly Finding[]> {
  const { dataDir, cacheDir, clock } = exam;
  const folders = [
    ...checkFolder('data', dataDir, clock),
    ...checkFolder('cache', cacheDir, clock),
    ...checkDisk(cacheDir),
  ];
  const runtime = await checkRuntime();
  const canRead = runtime.every(({ id, level }) => id !== 'sqlite' || level === 'ok');
  const stores = canRead
    ? [...(await checkStores([dataDir, join(cacheDir, 'indexes')])), ...(await checkMemories(dataDir))]
    : [];
  const sound = canRead && [...folders, ...stores].every(({ level }) => level !== 'problem');
  return [
    ...runtime,
    ...exam.warnings.map((warning) => note('setting', warning)),
    ...folders,
    ...stores,
    ...(sound ? await checkFreshness(exam) : []),
    ...(sound ? await checkService('encoder', exam.encoder) : []),
    ...(await checkService('reranker', exam.reranker)),
    ...(await checkGrammars(exam)),
    ...checkServers(dataDir, exam.version),
    ...(await checkClients(exam)),
  ];
}

async function checkFreshness({ root, pending }: Examination): Promise<readonly Finding[]> {
  if (root === undefined || pending === undefined) return [];
  const changed = await pending(root);
  if (changed === undefined) return [note('index-missing', root)];
  return changed === 0
    ? [ok('index-stale', `the index of ${root} is fresh`)]
    : [note('index-stale', `${root}: ${countOf(changed, 'file')} changed since`)];
}

async function checkService(
  which: 'encoder' | 'reranker',
  ask: (() => Promise<Tried | undefined>) | undefined,
): Promise<readonly Finding[]> {
  const tried = await ask?.();
  if (tried === undefined) return [];
  return [tried.works ? ok(which, tried.seen) : problem(which, tried.seen)];
}

async function checkGrammars({ missingGrammars }: Examination): Promise<readonly Finding[]> {
  if (missingGrammars === undefined) return [];
  const missing = await missingGrammars();
  return missing.length === 0
    ? [ok('grammar', 'all parsers are there')]
    : [problem('grammar', missing.join(', '))];
}
