/** The doctor command: examines, prints, and exits with 1 if something is wrong. */
import { currentPlaces, examine, openManifest, type WrittenFile } from '../../clients/index.ts';
import { readEnvironment } from '../../config/index.ts';
import { systemClock, systemIds } from '../../platform/index.ts';
import type { CommandContext } from '../command.ts';
import { shortPath, wrap } from '../setup/layout.ts';
import { writeBundle } from './bundle.ts';
import { reportGrammars } from '../../languages/index.ts';
import { fixMemories, renderFixed } from './fix-memories.ts';
import { pendingFiles } from './pending-files.ts';
import { tryEncoder } from './try-encoder.ts';
import { renderFindings, toFindingValue } from './render-findings.ts';

interface DoctorWish {
  readonly bundle: boolean;
  readonly fix: boolean;
}

export async function runDoctor(context: CommandContext, wish: DoctorWish): Promise<number> {
  const { output, resolved, version } = context;
  const { dataDir, cacheDir } = resolved.config;
  const places = currentPlaces(readEnvironment());
  const services = await context.services();
  const detection = await services.detector.detect({ transport: 'cli' });
  const root = detection.kind === 'found' ? detection.project.root : undefined;
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
    ...(wish.fix ? { fixed } : {}),
    ...(bundle === undefined ? {} : { bundle }),
  });
  return problems === 0 ? 0 : 1;
}

/** Notes that cannot be read are no reason not to look at the rest; the folder's own check says more. */
function readNotes(dataDir: string): readonly WrittenFile[] {
  try {
    return openManifest(dataDir, systemIds).read().files;
  } catch {
    return [];
  }
}
