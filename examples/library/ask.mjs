// node ask.mjs /path/to/project "a question"
import { createApp, resolveConfig } from 'waymark';

const [root = process.cwd(), query = 'how are sessions expired'] = process.argv.slice(2);
const app = createApp({ config: resolveConfig({ env: process.env }).config });
try {
  const signal = AbortSignal.timeout(60_000);
  // Searchable after the first; the second parses every file, which the answer about uses needs.
  await app.indexing.ensure(root, { signal, mayWrite: true });
  await app.indexing.parse(root, { signal });

  const { hits } = await app.search.run({ roots: [root], query, limit: 3, kinds: ['code'] });
  for (const { path, startLine, definition } of hits)
    process.stdout.write(`${path}:${startLine} ${definition?.name ?? ''}\n`);

  const best = hits.find(({ definition }) => definition !== undefined);
  if (best !== undefined) {
    const symbol = best.definition.name;
    const { symbols } = await app.engine.findReferences({ root, mayWrite: true, symbol });
    for (const { name, references } of symbols)
      for (const { path, line } of references) process.stdout.write(`${name} is used in ${path}:${line}\n`);
  }
} finally {
  await app.close();
}
