/** npm run campaign:texts -- [--texts 100000] [--seed 1] [--from DIR,FILE]: any text is a query, and finds something whatever its signs. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createApp, type App } from '../../src/app.ts';
import { resolveConfig } from '../../src/config/index.ts';
import { AppError } from '../../src/core/index.ts';
import { searchShop } from '../support/search-shop.ts';
import { collectEnds } from '../support/temp-folder.ts';
import { emptyHome } from '../support/waymark.ts';
import { none, printVerdict, shown } from './memory/verdict.ts';
import { tryTexts } from './texts/try-texts.ts';

const { values } = parseArgs({
  options: {
    texts: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: 'docs,src,README.md,CHANGELOG.md' },
  },
});

/** Every file below, as text. */
function readAll(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [readFileSync(path, 'utf8')];
  return readdirSync(path).flatMap((name) => readAll(join(path, name)));
}

async function ask({ search }: App, root: string, query: string): Promise<string | undefined> {
  try {
    const { hits, nearest } = await search.run({ roots: [root], query });
    return hits.length + nearest.length > 0 ? undefined : 'empty';
  } catch (thrown) {
    return thrown instanceof AppError ? `${thrown.code}: ${thrown.message}` : String(thrown);
  }
}

const sources = values.from.split(',').flatMap((path) => readAll(resolve(path)));
const { onEnd, end } = collectEnds();
try {
  const { env } = emptyHome(onEnd);
  const app = createApp({ config: resolveConfig({ env }).config, environment: () => env });
  onEnd(() => app.close());
  const root = searchShop(onEnd).path;
  await app.indexing.ensure(root, { signal: new AbortController().signal, mayWrite: true });
  const count = Number(values.texts);
  const report = await tryTexts({
    ask: (text) => ask(app, root, text),
    count,
    seed: Number(values.seed),
    sources,
  });
  printVerdict(
    [
      shown('texts', count),
      ...Object.entries(report.asked).map(([kind, asked]) => shown(`of them: ${kind}`, asked)),
      shown('found nothing, as strict syntax asked for', report.strict),
      none('left without an answer, or with an error', report.findings.length),
      shown('slowest, ms', report.slowestMs),
    ],
    report.findings.slice(0, 50),
  );
} finally {
  await end();
}
