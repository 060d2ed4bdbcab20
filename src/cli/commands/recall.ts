import { ENTRY_KINDS } from '../../core/index.ts';
import { escapeControl, escapeControlKeepingLines } from '../../text/index.ts';
import type { Command } from '../command.ts';
import { entryLine } from '../memory-lines.ts';
import { projectRoot } from '../project-root.ts';
import { needed, toCount } from '../options.ts';

/** One search over everything that was learned. */
export const recallCommand: Command = {
  name: 'recall',
  group: 'Remember',
  summary: 'Find what was learned, in any words',
  examples: [
    'waymark recall "retry of failed uploads"',
    'waymark recall "EADDRINUSE" --kind remediation --all-projects',
  ],
  places: [],
  argument: { name: 'question', description: 'what you look for, in any words, or an error message' },
  options: [
    { name: 'kind', valueName: 'kind', description: 'only this kind', choices: ENTRY_KINDS },
    { name: 'limit', valueName: 'count', description: 'at most this many (default: 5)' },
    { name: 'all-projects', description: 'look into the memories of all your projects' },
  ],
  async run({ services, output }, argument, options) {
    const question = needed(argument, 'recall', '"what you look for"');
    const { memory, detector } = await services();
    const kind = ENTRY_KINDS.find((known) => known === options['kind']);
    const { hits, nearest } = await memory.recall(await projectRoot(detector, undefined), {
      text: question,
      kinds: kind === undefined ? ENTRY_KINDS : [kind],
      limit: toCount(options['limit'], 5),
      scope: options['all-projects'] === true ? 'all' : 'project',
    });
    const blocks = hits.map(
      ({ entry, score, reasons, elsewhere }) =>
        `${entryLine(entry)}\n  ${score.toFixed(2)}: ${reasons.join('; ')}${elsewhere === undefined ? '' : `; from ${elsewhere}`}\n  ${entry.summary.split('\n')[0] ?? ''}`,
    );
    const places = nearest.map(({ id, name }) => `  ${id}  ${escapeControl(name)}`);
    const nothing = [
      'Nothing was learned about that.',
      ...(places.length === 0 ? [] : ['The nearest:', ...places]),
    ];
    output.answer(
      escapeControlKeepingLines(hits.length === 0 ? nothing.join('\n') : blocks.join('\n\n')),
      hits,
    );
    return hits.length === 0 ? 1 : 0;
  },
};
