/**
 * The process that is measured, one line of JSON on stdout. `worker index ROOT HOME [PARSER]`: an index with its exact pass, by other parser
 * children than the usual ones if they are given. `worker ask ROOT HOME`: asks for a name that does not exist, for random definitions
 * while files are unpacked for the first time, for others, and for those again.
 */
import { setTimeout } from 'node:timers/promises';
import { tuneV8 } from '../../src/platform/index.ts';
import { openProduct } from '../relevance/product.ts';

const SYMBOLS = 300;
const CHILDREN_END_MS = 500;
const [mode = '', root = '', home = '', parser] = process.argv.slice(2);
// As the bin does.
tuneV8();
const app = openProduct(home, parser === undefined ? {} : { parser: { absChildModule: parser } });

interface Took {
  readonly ms: number;
  /** Of the processor: what other processes do does not count. */
  readonly cpuMs: number;
}

async function timed(work: () => Promise<unknown>): Promise<Took> {
  const [started, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - started, cpuMs: (user + system) / 1000 };
}

function quantiles(took: readonly Took[]): unknown {
  const at = (list: readonly number[], share: number): number =>
    list.toSorted((a, b) => a - b)[Math.floor(list.length * share)] ?? 0;
  const [ms, cpuMs] = [took.map((each) => each.ms), took.map((each) => each.cpuMs)];
  return { p50: at(ms, 0.5), p95: at(ms, 0.95), cpu50: at(cpuMs, 0.5), cpu95: at(cpuMs, 0.95) };
}

async function index(): Promise<unknown> {
  const { ms } = await timed(() => app.indexing.complete(root, { signal: new AbortController().signal }));
  const { sourceBytes } = await (await app.indexing.store(root)).stats();
  return { ms, sourceBytes };
}

async function ask(): Promise<unknown> {
  const refs = (symbol: string): Promise<unknown> =>
    app.engine.findReferences({ root, mayWrite: true, symbol }).catch(() => undefined);
  const unknown = await timed(() => refs('noSuchNameAnywhere'));
  const all = await pickSymbols(2 * SYMBOLS);
  const askAll = async (symbols: readonly string[]): Promise<readonly Took[]> => {
    const took: Took[] = [];
    for (const symbol of symbols) took.push(await timed(() => refs(symbol)));
    return took;
  };
  const cold = await askAll(all.slice(0, SYMBOLS));
  const symbols = all.slice(SYMBOLS);
  const fresh = await askAll(symbols);
  const again = await askAll(symbols);
  const { chunks } = await app.indexing.stats(root);
  return {
    chunks,
    unknownMs: unknown.ms,
    cold: quantiles(cold),
    fresh: quantiles(fresh),
    again: quantiles(again),
    rssMb: process.memoryUsage.rss() / 1024 / 1024,
    worst: symbols
      .map((symbol, n) => [symbol, Math.round(fresh[n]?.ms ?? 0)] as const)
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, 5),
  };
}

/** By their names and by their places in turn, the same ones every time. */
async function pickSymbols(count: number): Promise<readonly string[]> {
  const store = await app.indexing.store(root);
  const { files } = await store.files();
  const picked: string[] = [];
  for (let seed = 1; picked.length < count; seed++) {
    const { path = '' } = files[(Math.imul(seed, 0x9e3779b1) >>> 0) % files.length] ?? {};
    const definitions = await store.definitionsOf(path);
    const one = definitions[seed % Math.max(1, definitions.length)];
    if (one !== undefined) picked.push(seed % 2 === 0 ? one.name : `${path}:${one.startLine}`);
    if (seed > count * 50) throw new Error('There are too few definitions.');
  }
  return picked;
}

const answer = await (mode === 'ask' ? ask() : index());
await app.close();
// Children that have ended are counted among what this process took.
await setTimeout(CHILDREN_END_MS);
process.stdout.write(`${JSON.stringify(answer)}\n`);
