import { AppError, USE_KINDS as KINDS } from '../../core/index.ts';
import type { Engine } from '../../engine/index.ts';
import type { ReferencesLook } from '../../structure/index.ts';
import type { Command, CommandContext, CommandOption, OptionValues } from '../command.ts';
import { listOf, needed, numberIn, textOf } from '../options.ts';
import { showLines } from '../look/show-lines.ts';
import { ensureIndex, projectPath, projectRoot, typedPath, withoutLine } from '../project.ts';

const MOST_DEPTH = 20;
const MOST_BUDGET = 100_000;
/** A person reads more than a model is given. */
const USUAL_BUDGET = 4_000;
const MOST_OF_A_FILE = 3;

const PROJECT: CommandOption = {
  name: 'project',
  valueName: 'path',
  description: 'the project; the one you are in if left out',
};
const BUDGET: CommandOption = {
  name: 'budget',
  valueName: 'tokens',
  description: `how long the answer may be (${USUAL_BUDGET})`,
};
const ALL: CommandOption = { name: 'all', description: 'everything, not what fits the window alone' };
const DEPTH: CommandOption = {
  name: 'depth',
  valueName: 'n',
  description: `how many imports away at most, up to ${MOST_DEPTH}`,
};
const IN: CommandOption = { name: 'in', description: 'what depends on it, instead of what it depends on' };

interface Asked {
  readonly engine: Engine;
  readonly project: { readonly root: string; readonly mayWrite: true; readonly wait: 'endless' };
  readonly look: Pick<ReferencesLook, 'budget' | 'asker' | 'shown'>;
  readonly call: { readonly signal: AbortSignal };
  readonly depth: number | undefined;
  /** A path as one types it here, as the project has it. */
  pathOf(given: string): string;
  show(text: string, value: unknown): void;
}

/** The index is brought up to date and parsed to its end: a command is asked once. */
async function prepare(
  { services, output, stop, working }: CommandContext,
  options: OptionValues,
  command: string,
): Promise<Asked> {
  const example = `waymark ${command}`;
  const isAll = options['all'] === true;
  // On a terminal the window is the limit.
  const usual = isAll || output.window !== undefined ? MOST_BUDGET : USUAL_BUDGET;
  const budget = numberIn(options, { name: 'budget', least: 100, most: MOST_BUDGET, example }) ?? usual;
  const depth = numberIn(options, { name: 'depth', least: 1, most: MOST_DEPTH, example });
  const { detector, known, engine, ...parts } = await services();
  const root = await projectRoot(detector, textOf(options, 'project'), known);
  await ensureIndex(root, parts, { output, stop });
  working('Parsing files');
  return {
    engine,
    project: { root, mayWrite: true, wait: 'endless' },
    look: { budget, asker: 'command', shown: (path) => typedPath(root, path) },
    call: { signal: stop },
    depth,
    pathOf: (given) => projectPath(root, given),
    show: (text, value) => showLines(output, { text, value, isAll }),
  };
}

function readKinds(options: OptionValues): (typeof KINDS)[number][] | undefined {
  const named = listOf(options, 'kind', (value) => value.split(',').map((part) => part.trim()));
  return named?.map((name) => {
    const kind = KINDS.find((each) => each === name);
    if (kind !== undefined) return kind;
    throw new AppError('bad_argument', '--kind takes kinds of uses.', {
      hint: `Choose from ${KINDS.join(', ')}.`,
    });
  });
}

export const referencesCommand: Command = {
  name: 'references',
  paged: true,
  group: 'See what Waymark sees',
  summary: 'Say who uses a symbol, or what it uses',
  examples: [
    'waymark references SessionStore.get',
    'waymark references src/session.ts:12 --kind call',
    "waymark references retry --out --path 'src/**' --json",
  ],
  places: ['search'],
  argument: { name: 'symbol', description: 'a name, Class.method or path:line' },
  options: [
    PROJECT,
    { name: 'out', description: 'what it uses, instead of who uses it' },
    {
      name: 'kind',
      valueName: 'kinds',
      repeatable: true,
      description: `only these, with commas: ${KINDS.join(', ')}`,
      choices: KINDS,
    },
    {
      name: 'path',
      valueName: 'glob',
      repeatable: true,
      description: "only uses in paths that match; '!glob' leaves them out",
    },
    { name: 'possible', description: 'also uses that may mean another symbol of this name' },
    BUDGET,
    ALL,
  ],
  async run(context, argument, options) {
    const symbol = needed(argument, 'references', 'SessionStore.get');
    const kinds = readKinds(options);
    const direction = options['out'] === true ? ('out' as const) : ('in' as const);
    const { engine, project, look, call, pathOf, show } = await prepare(context, options, 'references NAME');
    const request = {
      ...project,
      // A place is typed as its path is.
      symbol: symbol.replace(/^(.+)(?=:\d+$)/, (path) => pathOf(path)),
      kinds,
      direction,
      paths: listOf(options, 'path'),
      include: options['possible'] === true ? ('possible' as const) : undefined,
    };
    const answer = await engine.findReferences(request, call);
    const { renderReferences } = await import('../../structure/index.ts');
    show(renderReferences(answer, { ...look, direction }).text, answer);
  },
};

export const depsCommand: Command = {
  name: 'deps',
  paged: true,
  group: 'See what Waymark sees',
  summary: 'Say which files a file imports, or which import it',
  examples: ['waymark deps src/session.ts', 'waymark deps src/session.ts --in --depth 3 --json'],
  places: ['search'],
  argument: { name: 'file', description: 'its path in the project' },
  options: [PROJECT, IN, DEPTH, BUDGET, ALL],
  async run(context, argument, options) {
    const file = needed(argument, 'deps', 'src/session.ts');
    const direction = options['in'] === true ? ('in' as const) : ('out' as const);
    const { engine, project, look, call, depth, pathOf, show } = await prepare(context, options, 'deps FILE');
    const request = { ...project, file: pathOf(file), direction, depth };
    const answer = await engine.fileDependencies(request, call);
    const { renderFiles } = await import('../../structure/index.ts');
    const what = direction === 'in' ? 'import it' : 'imported';
    show(renderFiles(answer, { ...look, what }), answer);
  },
};

export const impactCommand: Command = {
  name: 'impact',
  paged: true,
  group: 'See what Waymark sees',
  summary: 'Say which files and tests a change may reach',
  examples: [
    'waymark impact src/session.ts src/store.ts',
    'waymark impact --changed',
    'waymark impact --branch main --json',
  ],
  places: ['search'],
  argument: { name: 'files', description: 'paths in the project', many: true },
  options: [
    PROJECT,
    { name: 'changed', description: 'of the files with uncommitted changes' },
    { name: 'branch', valueName: 'name', description: 'of the files that differ from this branch' },
    DEPTH,
    BUDGET,
    ALL,
  ],
  async run(context, _argument, options) {
    const { engine, project, look, call, depth, pathOf, show } = await prepare(
      context,
      options,
      'impact FILE',
    );
    const request = {
      ...project,
      files: context.words.map(pathOf),
      changed: options['changed'] === true ? true : undefined,
      branch: textOf(options, 'branch'),
      depth,
    };
    const answer = await engine.fileImpact(request, call);
    const { IMPACT, renderFiles } = await import('../../structure/index.ts');
    show(renderFiles(answer, { ...look, what: IMPACT }), answer);
  },
};

export const outlineCommand: Command = {
  name: 'outline',
  paged: true,
  group: 'See what Waymark sees',
  summary: 'Show what a file, a folder or the project defines',
  examples: ['waymark outline', 'waymark outline src/server', 'waymark outline src/session.ts --json'],
  places: ['search'],
  argument: { name: 'path', description: 'a file or folder; the whole project if left out' },
  options: [
    PROJECT,
    {
      name: 'focus',
      valueName: 'text',
      repeatable: true,
      description: 'files whose paths hold it, and their neighbours, come first',
    },
    BUDGET,
    ALL,
  ],
  async run(context, argument, options) {
    const { engine, project, look, call, pathOf, show } = await prepare(context, options, 'outline');
    const path = argument === undefined ? undefined : pathOf(withoutLine(argument));
    const request = { ...project, path, focus: listOf(options, 'focus') };
    const answer = await engine.outline(request, call);
    const { renderOutline } = await import('../../structure/index.ts');
    // Of many files, what is used most of each: all of one would hide the others.
    const isBrief = answer.isMap && context.output.window !== undefined && options['all'] !== true;
    const files = isBrief
      ? answer.files.map((file) => ({ ...file, definitions: file.definitions.slice(0, MOST_OF_A_FILE) }))
      : answer.files;
    show(renderOutline({ ...answer, files }, look), answer);
  },
};
