/** Commands about where one is: the home screen, and all that is known of the project. */
import { escapeControl } from '../../text/index.ts';
import type { Command, Services } from '../command.ts';
import { shortPath } from '../look/paths.ts';
import { renderRows } from '../look/rows.ts';
import { renderWhen } from '../look/times.ts';
import { wrap } from '../look/width.ts';
import type { Paint } from '../look/theme.ts';
import type { Output } from '../output.ts';
import type { Overview } from '../overview.ts';

const loadOverview = () => import('../overview.ts');

/** What `waymark` alone shows on a terminal. */
export const homeCommand: Command = {
  name: 'home',
  group: 'See what Waymark sees',
  summary: 'Say where you are, and what to try, as `waymark` alone does on a terminal',
  hidden: true,
  examples: ['waymark', 'waymark home'],
  async run({ services, output, version, env }) {
    const { nextSteps, readOverview } = await loadOverview();
    const opened = await services();
    const overview = await readOverview(opened, env);
    const { paint } = output;
    const facts = await renderFacts(overview, output, opened);
    const steps = nextSteps(overview);
    const text = [
      `${paint.bold('Waymark')} ${paint.dim(version)}`,
      '',
      facts,
      '',
      paint.bold('Try'),
      renderRows([...steps, ['waymark help', 'every command']], output.window?.columns, paint.accent),
    ];
    output.answer(text.join('\n'), await toValue(overview));
  },
};

/** Explains which project this directory belongs to, and what is known of it. */
export const statusCommand: Command = {
  name: 'status',
  paged: true,
  group: 'See what Waymark sees',
  summary: 'Say which project this is, its index, memory and agents',
  examples: ['waymark status', 'waymark status --verbose', 'waymark status --json'],
  places: ['mcp'],
  options: [{ name: 'verbose', description: 'also what every source of the project said, and why one won' }],
  async run({ services, output, env }, _argument, options) {
    const { nextSteps, readOverview } = await loadOverview();
    const opened = await services();
    const overview = await readOverview(opened, env);
    const { detection } = overview;
    const [next] = nextSteps(overview);
    const lines = [
      await renderFacts(overview, output, opened, next),
      ...(options['verbose'] === true || detection.kind !== 'found'
        ? await renderLadder(overview, output)
        : []),
    ];
    output.answer(lines.join('\n'), await toValue(overview));
    return detection.kind === 'found' ? 0 : 1;
  },
};

async function renderFacts(
  overview: Overview,
  { paint, window }: Output,
  { clock }: Services,
  next?: readonly [string, string],
): Promise<string> {
  const { sayAgents, sayIndex } = await loadOverview();
  const { git, index, memory, agents } = overview;
  const { renderGit } = await import('../../tools/index.ts');
  const last = memory?.lastCheckpoint;
  const when = last && renderWhen(last.createdAt, clock.now(), window !== undefined);
  const rows: (readonly [string, string])[] = [
    ['project', await renderProject(overview, paint)],
    ...(git === undefined ? [] : [['git', renderGit(git)] as const]),
    ...(index === undefined ? [] : [['index', sayIndex(index)] as const]),
    ...(memory === undefined ? [] : [['memory', memory.counts] as const]),
    ...(last === undefined
      ? []
      : [
          [
            'checkpoint',
            escapeControl(
              `${last.name.replace(/\.$/, '')}, ${when}${last.branch === undefined ? '' : `, on ${last.branch}`} (${last.id})`,
            ),
          ] as const,
        ]),
    ['agents', sayAgents(agents)],
    ...(next === undefined ? [] : [['next', `${paint.accent(next[0])}  ${next[1]}`] as const]),
  ];
  return renderRows(rows, window?.columns, paint.dim);
}

async function renderProject({ detection, home }: Overview, paint: Paint): Promise<string> {
  if (detection.kind === 'refused') return `none: ${escapeControl(detection.refused.message)}`;
  if (detection.kind === 'none') return 'none: this directory belongs to no project';
  const { sayHowFound } = await loadOverview();
  const { name, root } = detection.project;
  return `${paint.bold(escapeControl(name))} in ${shortPath(root, home)}, ${sayHowFound(detection)}`;
}

/** Every source that may name the project, and what it said. */
async function renderLadder({ detection }: Overview, { paint, window }: Output): Promise<readonly string[]> {
  const { renderReports } = await import('../../tools/index.ts');
  const lines = renderReports(detection)
    .split('\n')
    .map((line) => {
      const [, start = '', rest = line] = /^(\s*\S+\s+)(.*)$/.exec(line) ?? [];
      return `${start}${wrap(rest, ' '.repeat(start.length), window?.columns ?? Infinity)}`;
    });
  return ['', paint.bold('sources, most trusted first:'), ...lines];
}

async function toValue(overview: Overview): Promise<object> {
  const { nextStep } = await loadOverview();
  const { toGitValue } = await import('../../tools/index.ts');
  const { detection, git, index, memory, agents } = overview;
  return {
    ...detection,
    git: toGitValue(git),
    index:
      index === undefined ? null : { state: index.state.kind, files: index.files, leftOut: index.leftOut },
    memory:
      memory === undefined
        ? null
        : { entries: memory.entries, lastCheckpoint: memory.lastCheckpoint ?? null },
    agents: agents.map(({ client, state }) => ({ client: client.id, state })),
    next: nextStep(overview),
  };
}
