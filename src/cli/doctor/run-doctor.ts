/** The doctor command: examines, prints, and exits with 1 if something is wrong. */
import { join, resolve } from 'node:path';
import {
  currentPlaces,
  examine,
  FINDINGS,
  openManifest,
  type Finding,
  type Tried,
  type WrittenFile,
} from '../../clients/index.ts';
import { renderConfigValue } from '../../config/index.ts';
import { reportGrammars } from '../../languages/index.ts';
import { readEditable, replaceEditable, systemClock, systemIds } from '../../platform/index.ts';
import { escapeControl, hideSecrets } from '../../text/index.ts';
import type { CommandContext } from '../command.ts';
import { shortPath } from '../look/paths.ts';
import type { Paint } from '../look/theme.ts';
import { wrap } from '../look/width.ts';
import { fixMemories, renderFixed } from './fix-memories.ts';

interface DoctorWish {
  readonly bundle: boolean;
  readonly fix: boolean;
}

export async function runDoctor(context: CommandContext, wish: DoctorWish): Promise<number> {
  const { output, resolved, version } = context;
  const { dataDir, cacheDir } = resolved.config;
  const places = currentPlaces(context.env);
  const services = await context.services();
  const detection = await services.detector.detect({ transport: 'cli' });
  const root = detection.kind === 'found' ? detection.project.root : undefined;
  context.working('Starting the server as each agent does');
  const fixed = wish.fix ? await fixMemories(services.memory.spaces, dataDir) : [];
  const findings = await examine({
    version,
    dataDir,
    cacheDir,
    places,
    root,
    written: readNotes(dataDir),
    clock: systemClock,
    warnings: resolved.warnings,
    pending: (project) => pendingFiles(project, context),
    encoder: () => tryEncoder(root, context),
    reranker: () => tryReranker(context),
    missingGrammars: async () =>
      reportGrammars()
        .filter(({ state }) => state !== 'ok')
        .map(({ grammar }) => grammar),
  });
  const problems = findings.filter(({ level }) => level === 'problem').length;
  const value = { ok: problems === 0, version, findings: findings.map(toFindingValue) };
  const text = [
    ...fixed.map((one) => renderFixed(one, places.home)),
    renderFindings(findings, places.home, output.paint),
  ].join('\n');
  const bundle = wish.bundle ? writeBundle(value, context, places.home) : undefined;
  const saved =
    bundle === undefined
      ? ''
      : `\n${wrap(`A report without secrets is in ${shortPath(bundle, places.home)}. Read it before you send it.`, '')}`;
  output.answer(text + saved, {
    ...value,
    fixed: wish.fix ? fixed : undefined,
    bundle,
  });
  return problems === 0 ? 0 : 1;
}

/** A manifest that cannot be read does not stop the examination; the check of the folder reports it. */
function readNotes(dataDir: string): readonly WrittenFile[] {
  try {
    return openManifest(dataDir, systemIds).read().files;
  } catch {
    return [];
  }
}

/** How many files changed since the project was indexed, by size and time alone; undefined without an index. */
async function pendingFiles(root: string, context: CommandContext): Promise<number | undefined> {
  const { indexing } = await context.services();
  if ((await indexing.state(root)).state === 'missing') return undefined;
  const found = await indexing.following.check(root);
  return found.kind === 'changed' ? found.count : 0;
}

/** Whether the encoder works, and how far it is with the project. A service is asked for one word. */
async function tryEncoder(root: string | undefined, context: CommandContext): Promise<Tried> {
  const { encoder, indexing } = await context.services();
  const { renderEncoder } = await import('../../tools/index.ts');
  const isIndexed = root !== undefined && (await indexing.state(root)).state === 'indexed';
  const known = isIndexed ? await indexing.encoder(root) : undefined;
  const seen = known === undefined ? `vectors: ${encoder.kind}` : renderEncoder(known);
  if (encoder.kind !== 'http') return { works: true, seen };
  const { remote } = encoder;
  const asked = await remote.ask('waymark');
  if (asked.kind === 'vector') return { works: true, seen: `${seen}; ${remote.model} answers` };
  return { works: false, seen: `${seen}; ${remote.model} at ${remote.url} ${asked.why}` };
}

/** One word is sent, as question and as text. */
async function tryReranker({ resolved }: CommandContext): Promise<Tried | undefined> {
  const { createReranker } = await import('../../embedding/index.ts');
  const parts = { signal: new AbortController().signal, clock: systemClock };
  const reranker = createReranker(resolved.config, parts);
  if (reranker === undefined) return undefined;
  const judged = await reranker.judge('waymark', ['waymark']);
  return judged.kind === 'scores'
    ? { works: true, seen: `reranker: ${reranker.name} answers` }
    : { works: false, seen: `reranker: ${reranker.name} ${judged.why}` };
}

/** A file to send along with a bug report: findings, versions and settings; no values that could be secret. */
function writeBundle(value: object, { resolved, env }: CommandContext, home: string): string {
  const stamp = new Date(systemClock.now())
    .toISOString()
    .slice(0, 19)
    .replaceAll(/[-:]/g, '')
    .replace('T', '-');
  const absPath = join(resolve('.'), `waymark-report-${stamp}.json`);
  const report = {
    ...value,
    system: { platform: process.platform, arch: process.arch, node: process.versions.node },
    settings: renderConfigValue(resolved),
    // Names tell which clients and tools are involved; values may be secret.
    variables: Object.keys(env).toSorted(),
  };
  // The user's name is in every path below their home.
  const text = JSON.stringify(report, null, 2).split('\n').map(hideSecrets).join('\n').replaceAll(home, '~');
  replaceEditable(readEditable(absPath), Buffer.from(`${text}\n`), systemIds);
  return absPath;
}

export function renderFindings(findings: readonly Finding[], home: string, paint: Paint): string {
  const marks = { ok: paint.green('✓'), note: '·', problem: paint.red('✗') };
  const lines = findings.map(({ id, level, seen }) => {
    const what = wrap(clean(seen).replaceAll(home, '~'), '    ');
    const first = `  ${marks[level]} ${what}`;
    if (level === 'ok') return first;
    const { means, todo } = FINDINGS[id];
    return `${first}\n    ${paint.dim(wrap(means, '    '))}\n    → ${wrap(todo, '      ')}`;
  });
  const problems = findings.filter(({ level }) => level === 'problem').length;
  const last =
    problems === 0
      ? 'Nothing is wrong.'
      : `${problems} ${problems === 1 ? 'thing is' : 'things are'} wrong; the arrows say what to do.`;
  return [...lines, '', last].join('\n');
}

function toFindingValue({ id, level, seen }: Finding): Record<string, string> {
  const { means, todo } = FINDINGS[id];
  return { id, level, seen: clean(seen), ...(level === 'ok' ? {} : { means, todo }) };
}

/** May hold text of other programs. */
function clean(text: string): string {
  return hideSecrets(escapeControl(text));
}
