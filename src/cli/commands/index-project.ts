/** Commands that make and delete the index of a project. */
import { AppError } from '../../core/index.ts';
import type { EmbedOutcome, EmbedPass, Indexing, IndexProgress } from '../../indexing/index.ts';
import { countOf, escapeControl, renderDuration } from '../../text/index.ts';
import type { Command } from '../command.ts';
import type { Output } from '../output.ts';
import { createProgressLine } from '../progress-line.ts';
import { projectRoot } from '../project.ts';

/** Brings the index of a project up to date. */
export const indexCommand: Command = {
  name: 'index',
  group: 'See what Waymark sees',
  summary: 'Bring the index of a project up to date',
  examples: ['waymark index', 'waymark index --exact', 'waymark index ~/code/web-shop --exclude "*.snap"'],
  places: ['index'],
  main: ['exact', 'embed', 'include', 'exclude', 'language', 'json'],
  argument: { name: 'path', description: 'the project; the one you are in if left out' },
  options: [
    { name: 'exact', description: 'also parse every file now; a server does it in the background' },
    { name: 'embed', description: 'also get the vectors of an HTTP encoder now; a server does it, too' },
  ],
  async run({ services, output, stop, working }, argument, options) {
    working('Indexing');
    const { indexing, search, detector, known, clock } = await services();
    const root = await projectRoot(detector, argument, known);
    const embed = options['embed'] === true ? requireEmbed(indexing) : undefined;
    const line = createProgressLine(output, clock);
    try {
      const how = {
        signal: stop,
        onProgress: (step: IndexProgress) => line.show(step),
        onBusy: () => sayBusy(output, root),
      };
      const { outcome, parsed, ...made } =
        options['exact'] === true
          ? await indexing.complete(root, how)
          : { outcome: await indexing.run(root, how), parsed: undefined, problem: undefined };
      // It cannot be: another process was waited for.
      if (outcome.kind === 'busy')
        throw new AppError('internal', 'The writer of the index was not waited for.');
      if (embed !== undefined) working('Getting vectors');
      const { embedded, ...sent } = embed === undefined ? NOT_ASKED : await tryToEmbed(embed(root, how));
      if (options['exact'] === true) working('Reading the history');
      const history = options['exact'] === true ? await indexing.readHistory(root, how) : undefined;
      const problems = [made.problem, sent.problem].filter((one) => one !== undefined);
      // The first search, in whatever process, need not do it then.
      await search.keep(root, 'whole');
      line.end();
      const { indexed, renamed, removed, unchanged, skipped, ms } = outcome;
      output.answer(
        [
          output.window === undefined
            ? `${escapeControl(root)}: ${indexed} indexed, ${renamed} renamed, ${removed} removed, ${unchanged} unchanged in ${ms} ms`
            : `${escapeControl(root)}: ${sayOutcome(outcome)} in ${renderDuration(ms)}`,
          ...(skipped === 0 ? [] : [`${skipped} left out; \`waymark files\` says why`]),
          ...(parsed === undefined
            ? []
            : [`${parsed.exact} parsed, ${parsed.failed} could not be, in ${parsed.ms} ms`]),
          ...(history === undefined || history.commits === 0
            ? []
            : [`${countOf(history.commits, 'commit')} read in ${history.ms} ms`]),
          ...(history?.problem === undefined ? [] : [`no commits read: ${history.problem}`]),
          ...(embedded === undefined
            ? []
            : [`${embedded.files} embedded, ${countOf(embedded.sent, 'text')} sent, in ${embedded.ms} ms`]),
        ].join('\n'),
        {
          root,
          ...outcome,
          parsed,
          history,
          embedded,
          problems: problems.length === 0 ? undefined : problems.map(toProblemValue),
        },
      );
      // Said beside the counts, not in their place: the first pass is done.
      const [problem, ...more] = problems;
      for (const one of more) output.fail(one);
      if (problem !== undefined) throw problem;
    } catch (thrown) {
      line.end();
      if (!stop.aborted) throw thrown;
      throw new AppError('interrupted', 'Indexing was stopped before its end.', {
        hint: 'What was indexed is kept; run the same command again to go on.',
        cause: thrown,
      });
    }
  },
};

/** What there was of it: `3 indexed, 1,891 unchanged`. */
function sayOutcome(outcome: IndexOutcome): string {
  const kinds = ['indexed', 'renamed', 'removed', 'unchanged'] as const;
  const said = kinds.flatMap((kind) =>
    outcome[kind] > 0 ? [`${outcome[kind].toLocaleString('en')} ${kind}`] : [],
  );
  return said.length === 0 ? 'nothing to index' : said.join(', ');
}

type IndexOutcome = Readonly<Record<'indexed' | 'renamed' | 'removed' | 'unchanged', number>>;

function sayBusy(output: Output, root: string): void {
  if (output.json) output.event('waiting', { root });
  else output.talk(`Another process is indexing ${escapeControl(root)}: waiting for it (Ctrl-C stops).`);
}

const NOT_ASKED = { embedded: undefined, problem: undefined };

/** A service that does not answer costs what it would have made, not what was made before. */
async function tryToEmbed(
  work: Promise<EmbedOutcome>,
): Promise<{ embedded: EmbedOutcome | undefined; problem: AppError | undefined }> {
  try {
    return { embedded: await work, problem: undefined };
  } catch (thrown) {
    if (thrown instanceof AppError) return { embedded: undefined, problem: thrown };
    throw thrown;
  }
}

function toProblemValue({ code, message, hint }: AppError): Readonly<Record<string, unknown>> {
  return { code, message, hint };
}

function requireEmbed({ embed }: Indexing): EmbedPass {
  if (embed !== undefined) return embed;
  throw new AppError('bad_argument', '--embed needs an HTTP encoder, and none is configured.', {
    hint: 'Set encoder to http, with encoderUrl and encoderModel: docs/guides/encoders.md.',
  });
}

/** Deletes the index of a project. */
export const clearCommand: Command = {
  name: 'clear',
  group: 'See what Waymark sees',
  summary: 'Delete the index of a project; its files and memory stay',
  examples: ['waymark clear', 'waymark clear ~/code/web-shop'],
  argument: { name: 'path', description: 'the project; the one you are in if left out' },
  async run({ services, output }, argument) {
    const { indexing, detector } = await services();
    const root = await projectRoot(detector, argument);
    const cleared = await indexing.clear(root);
    const text = cleared
      ? `${root}: index deleted; no file of the project was touched`
      : `${root}: there is no index`;
    output.answer(escapeControl(text), { root, cleared });
  },
};
