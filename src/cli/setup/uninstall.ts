/** The uninstall command: says what it will do, asks, does it. */
import {
  currentPlaces,
  dropCopies,
  findOwnFiles,
  openManifest,
  planPurge,
  purge,
  uninstall,
  type OwnFiles,
  type Removal,
} from '../../clients/index.ts';
import { AppError } from '../../core/index.ts';
import { sizeOfFile, systemClock, systemIds } from '../../platform/index.ts';
import type { LeftFile } from '../../storage/index.ts';
import { countOf, renderSize } from '../../text/index.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { shortPath } from '../look/paths.ts';
import { row, wrap } from '../look/width.ts';
import { renderProblem } from './render-setup.ts';

export async function takeBack(context: CommandContext, options: OptionValues): Promise<number> {
  const { output, resolved } = context;
  const { dataDir, cacheDir } = resolved.config;
  const { home } = currentPlaces(context.env);
  const store = openManifest(dataDir, systemIds);
  const own = options['purge'] === true ? await planPurge({ dataDir, cacheDir }) : undefined;
  const plan = uninstall(store, systemIds, false);
  const isAsked = options['yes'] !== true && (plan.length > 0 || own !== undefined);
  const kept = isAsked ? keptLines(context, home) : [];
  const stays = own === undefined ? kept : renderPurge(own, context, home);
  if (!output.json) output.talk([renderRemovals(plan, home), ...stays].join('\n'));
  if (options['dry-run'] === true) {
    output.answer('Nothing was changed.', { removed: plan.map(toValue), purge: own });
    return 0;
  }
  if (isAsked) await askFirst(context);
  const done = uninstall(store, systemIds, true);
  const refused = done.some(({ kind }) => kind === 'refused');
  // Keep the copy while an entry may still start it: one that could not be removed, or was edited.
  const isUnused = done.length > 0 && done.every(({ kind }) => kind !== 'refused' && kind !== 'changed');
  const copied = isUnused && dropCopies(dataDir).removed;
  // The notes are still needed where a file could not be changed.
  const purged =
    own === undefined || refused ? undefined : await purge({ dataDir, cacheDir, clock: systemClock });
  const lines = [
    refused ? 'Some files were left alone.' : 'Done.',
    ...(purged?.backup === undefined
      ? []
      : [wrap(`Your data was moved to ${shortPath(purged.backup, home)}. Delete it when you are sure.`, '')]),
    ...renderLeft(purged?.left ?? [], home),
    ...(own === undefined ? keptLines(context, home) : []),
    copied
      ? 'The copy that your clients started is removed too.'
      : 'To remove the program too: npm uninstall -g waymark',
  ];
  output.answer(lines.join('\n'), { ok: !refused, removed: done.map(toValue), purged });
  return refused ? 1 : 0;
}

/** What --purge will do, and what it leaves. */
function renderPurge(own: OwnFiles, context: CommandContext, home: string): readonly string[] {
  const { dataDir, cacheDir } = context.resolved.config;
  const { indexes, stores, notes, left } = own;
  const moved = stores.length + notes.length;
  return [
    `  ${wrap(`Indexes in ${shortPath(cacheDir, home)} that are deleted: ${indexes.length}.`, '    ')}`,
    `  ${wrap(`Files in ${shortPath(dataDir, home)} that are moved aside: ${moved}; memory is never deleted.`, '    ')}`,
    ...renderLeft(left, home),
  ];
}

function renderLeft(left: readonly LeftFile[], home: string): readonly string[] {
  if (left.length === 0) return [];
  const lines = left
    .slice(0, MOST_LEFT)
    .map(({ absPath, why }) => `    ${wrap(`${shortPath(absPath, home)}: ${why}`, '      ')}`);
  const more = left.length > MOST_LEFT ? [`    and ${left.length - MOST_LEFT} more`] : [];
  return ['  Stays where it is:', ...lines, ...more];
}

/** What stays without --purge, how much that is, and how it goes. */
function keptLines({ resolved }: CommandContext, home: string): readonly string[] {
  const { dataDir, cacheDir } = resolved.config;
  const { stores, indexes } = findOwnFiles(dataDir, cacheDir);
  const kept = [
    ...(stores.length === 0 ? [] : [`memories in ${shortPath(dataDir, home)} (${sizeOf(stores)})`]),
    ...(indexes.length === 0
      ? []
      : [
          `${countOf(indexes.length, 'index', 'indexes')} in ${shortPath(cacheDir, home)} (${sizeOf(indexes)})`,
        ]),
  ];
  if (kept.length === 0) return ['No memory and no index is kept.'];
  const how = '`waymark uninstall --purge` deletes indexes, and moves memory aside.';
  return [wrap(`Kept: ${kept.join(', ')}. ${how}`, '')];
}

function sizeOf(stores: OwnFiles['stores']): string {
  return renderSize(stores.reduce((sum, { absPath }) => sum + sizeOfFile(absPath), 0));
}

const MOST_LEFT = 20;

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
  throw new AppError('bad_argument', 'There is no terminal to ask on; nothing was changed.', {
    hint: 'Add --yes to do it, or --dry-run to look only.',
  });
}
