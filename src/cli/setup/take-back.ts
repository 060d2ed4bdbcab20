/** The uninstall command: says what it will do, asks, does it. */
import {
  checkPurge,
  currentPlaces,
  dropCopies,
  openManifest,
  purge,
  uninstall,
  type Removal,
} from '../../clients/index.ts';
import { readEnvironment } from '../../config/index.ts';
import { AppError } from '../../core/index.ts';
import { systemClock, systemIds } from '../../platform/index.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { row, shortPath, wrap } from './layout.ts';
import { renderProblem } from './render-plan.ts';

export async function takeBack(context: CommandContext, options: OptionValues): Promise<number> {
  const { output, resolved } = context;
  const { dataDir, cacheDir } = resolved.config;
  const { home } = currentPlaces(readEnvironment());
  const store = openManifest(dataDir, systemIds);
  const wantsPurge = options['purge'] === true;
  if (wantsPurge) checkPurge({ dataDir, cacheDir, home });
  const plan = uninstall(store, systemIds, false);
  if (!output.json) output.talk(renderRemovals(plan, home));
  if (wantsPurge && !output.json) {
    output.talk(
      wrap(
        `  Indexes in ${shortPath(cacheDir, home)} are removed; ${shortPath(dataDir, home)} is moved aside.`,
        '  ',
      ),
    );
  }
  if (options['dry-run'] === true) {
    output.answer('Nothing was changed.', { removed: plan.map(toValue) });
    return 0;
  }
  if ((plan.length > 0 || wantsPurge) && options['yes'] !== true) await askFirst(context);
  const done = uninstall(store, systemIds, true);
  const refused = done.some(({ kind }) => kind === 'refused');
  // What a client may still start stays: an entry that could not be taken out, or that its owner has changed.
  const copied =
    done.length > 0 &&
    done.every(({ kind }) => kind !== 'refused' && kind !== 'changed') &&
    dropCopies(dataDir);
  // The notes are still needed where a file could not be changed.
  const purged = wantsPurge && !refused ? purge({ dataDir, cacheDir, home, clock: systemClock }) : undefined;
  const kept =
    purged?.backup === undefined
      ? ''
      : `\n${wrap(`Your data was moved to ${shortPath(purged.backup, home)}. Delete it when you are sure.`, '')}`;
  const last = copied
    ? 'The copy that your clients started is removed too.'
    : 'To remove the program too: npm uninstall -g waymark';
  output.answer(`${refused ? 'Some files were left alone.' : 'Done.'}${kept}\n${last}`, {
    ok: !refused,
    removed: done.map(toValue),
    ...(purged === undefined ? {} : { purged }),
  });
  return refused ? 1 : 0;
}

const WORDS = {
  restored: 'put back as it was',
  removed: 'remove file',
  edited: 'take entry out',
  absent: 'nothing left',
  changed: 'changed: kept',
  refused: 'left alone',
} as const;

function renderRemovals(removals: readonly Removal[], home: string): string {
  if (removals.length === 0) return 'Setup has written nothing here.';
  return removals
    .flatMap((removal) => {
      const { name, file, kind } = removal;
      const line = `  ${row([name, shortPath(file.absPath, home), WORDS[kind]], [18, 38, 18])}`;
      return removal.kind === 'refused' ? [line, ...renderProblem(removal.error, home)] : [line];
    })
    .join('\n');
}

function toValue(removal: Removal): Record<string, unknown> {
  const { file, kind } = removal;
  const error = removal.kind === 'refused' ? { error: removal.error.message } : {};
  return { client: file.client, file: file.absPath, action: kind, ...error };
}

async function askFirst({ ask, output }: CommandContext): Promise<void> {
  const answer = output.json ? undefined : await ask('Go on? [y/N] ');
  if (answer === 'y' || answer === 'yes') return;
  if (answer !== undefined) throw new AppError('interrupted', 'Nothing was changed.');
  throw new AppError('bad_argument', 'There is nobody to ask; nothing was changed.', {
    hint: 'Add --yes to do it, or --dry-run to look only.',
  });
}
