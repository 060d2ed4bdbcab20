/** `waymark push`: the index of a working tree goes to the team's server. */
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, isBranchName, isPushedIdentity, type ProjectPlace } from '../../core/index.ts';
import { createSourceReader } from '../../indexing/index.ts';
import { PARSER_ID } from '../../languages/index.ts';
import { readGivenSecret } from '../../platform/index.ts';
import { findTree, remoteIdentity } from '../../project/index.ts';
import { countOf, escapeControl, escapeControlKeepingLines, renderSize } from '../../text/index.ts';
import { isAncestor, readGitIdentity, readPlace, readUncommitted } from '../../workspace/index.ts';
import type { Command, CommandContext, OptionValues, Services } from '../command.ts';
import { projectRoot } from '../project.ts';
import { createProgressLine } from '../progress-line.ts';
import { pushTree, type PushedTree, type PushReport } from '../push/push-tree.ts';
import { openPushServer, type PushServer } from '../push/server.ts';

export const pushCommand: Command = {
  name: 'push',
  group: 'Connect an agent',
  summary: "Send a project's index to the team's server",
  examples: [
    'waymark push --server https://waymark.example/mcp',
    'waymark push --watch',
    'waymark push --dry-run',
  ],
  places: ['push', 'index'],
  main: ['server', 'token-file', 'watch', 'dry-run', 'branch', 'json'],
  argument: { name: 'path', description: 'the project; the one you are in if left out' },
  options: [
    { name: 'watch', description: 'go on, and send what changes' },
    { name: 'dry-run', description: 'only say what would be sent' },
    { name: 'branch', valueName: 'name', description: 'the branch it goes to; the one checked out if left out' },
    {
      name: 'as',
      valueName: 'host/path',
      description: 'what the project is called there; by its remote if left out',
    },
    { name: 'force', description: 'replace the branch, even if it has commits that are not here' },
  ],
  async run(context, argument, options) {
    const { output, resolved, stop, working } = context;
    const services = await context.services();
    const root = await projectRoot(services.detector, argument, services.known);
    const { config } = resolved;
    const server = openPushServer({
      url: config.server,
      token: config.tokenFile === undefined ? config.token : readGivenSecret(config.tokenFile),
      version: context.version,
      signal: stop,
    });
    working('Pushing');
    const first = await pushOnce(context, { services, root, server, options });
    say(output, first, server);
    if (options['watch'] !== true) return;
    output.talk('Watching for changes; Ctrl-C stops.');
    for (let last = first.stamp; !stop.aborted; ) {
      await delay(WATCH_MS, undefined, { signal: stop }).catch(() => {});
      if (stop.aborted) return;
      const next = await pushOnce(context, { services, root, server, options, unless: last });
      if (next.report !== undefined) say(output, next, server);
      last = next.stamp;
    }
  },
};

const WATCH_MS = 1_500;
const MOST_UNCOMMITTED = 5_000;

interface Pushing {
  readonly services: Services;
  readonly root: string;
  readonly server: PushServer;
  readonly options: OptionValues;
  /** Nothing is sent if all is as it was then. */
  readonly unless?: string;
}

interface Pushed {
  readonly tree: Pick<PushedTree, 'project' | 'branch' | 'commit'>;
  readonly report: PushReport | undefined;
  readonly isDry: boolean;
  /** What the files and the branch were. */
  readonly stamp: string;
  readonly bytes: number;
}

async function pushOnce(
  { output, stop }: CommandContext,
  { services, root, server, options, unless }: Pushing,
): Promise<Pushed> {
  const { indexing, clock } = services;
  const line = createProgressLine(output, clock);
  try {
    const { problem } = await indexing.complete(root, {
      signal: stop,
      onProgress: (step) => line.show(step),
      onBusy: () => output.talk('Another process is indexing: waiting for it.'),
    });
    line.end();
    if (problem !== undefined) output.fail(problem);
    const place = readPlace(root, findTree(root));
    const names = namesOf(root, place, options);
    const uncommitted = await readUncommitted(place, {
      clock,
      list: () => indexing.scopeOf(root).list,
      most: MOST_UNCOMMITTED + 1,
    });
    if (uncommitted.isPartial)
      throw new AppError('bad_argument', 'Git does not tell which files are not committed.', {
        hint: 'There may be too many of them: commit them, or have git ignore them.',
      });
    const store = await indexing.store(root);
    const changed = uncommitted.files.map(({ path }) => path);
    const stamp = JSON.stringify([await store.generation(), place.commit, names, changed]);
    const before = server.sentBytes;
    const tree = { ...names, commit: place.commit };
    const isDry = options['dry-run'] === true;
    if (stamp === unless) return { tree, report: undefined, isDry, stamp, bytes: 0 };
    const sources = createSourceReader(clock);
    const [anyFile] = await store.rowStamps();
    const report = await pushTree(
      {
        ...tree,
        store,
        uncommitted: new Set(changed),
        textOf(path, hash) {
          const read = sources.read(root, path);
          return read?.hash === hash ? read.lines.text : undefined;
        },
        isAhead: (commit) =>
          place.commit !== undefined && isAncestor(place.identity, commit, place.commit, clock),
      },
      server,
      {
        analysis: anyFile?.analysis ?? '',
        parser: PARSER_ID,
        force: options['force'] === true,
        dryRun: isDry,
        random: Math.random,
        onProgress: (done, total) => line.show({ done, total, doneBytes: 0, totalBytes: 0 }),
      },
    );
    return { tree, report, isDry, stamp, bytes: server.sentBytes - before };
  } finally {
    line.end();
  }
}

/** What project and branch it is to all who work on it. */
function namesOf(
  root: string,
  place: ProjectPlace,
  { as, branch: given }: OptionValues,
): Pick<PushedTree, 'project' | 'branch'> {
  const remote = readGitIdentity(place.root)?.remote;
  const folder = place.folder === '' ? '' : `/${place.folder.toLowerCase()}`;
  const named = remote === undefined ? undefined : remoteIdentity(remote);
  const project = typeof as === 'string' ? as.toLowerCase() : named && `${named}${folder}`;
  if (project === undefined || !isPushedIdentity(project))
    throw new AppError('bad_argument', `${escapeControl(root)} has no remote that others can know it by.`, {
      hint: 'Say what it is called: waymark push --as git.example/acme/shop',
    });
  const branch = typeof given === 'string' ? given : place.branch;
  if (branch === undefined || !isBranchName(branch))
    throw new AppError('bad_argument', 'No branch is checked out whose name can be used.', {
      hint: 'Name one: waymark push --branch main',
    });
  return { project, branch };
}

function say(output: CommandContext['output'], { tree, report, isDry, bytes }: Pushed, server: PushServer): void {
  if (report === undefined) return;
  const { project, branch, commit } = tree;
  const at = commit === undefined ? '' : ` at ${commit.slice(0, 8)}`;
  const text = report.keepsSource ? ' Their text is kept there, without secrets.' : ' Their text stays here.';
  const files = countOf(report.sent.length, 'file');
  const lines = [
    `${project}@${branch}${at}: ${countOf(report.files, 'file')}`,
    isDry
      ? `the index of up to ${files} would be sent to ${server.url}.${text}`
      : `${files} sent, ${renderSize(bytes)} in all.${text}`,
    ...(isDry ? report.sent.slice(0, MOST_SHOWN).map((path) => `  ${path}`) : []),
    ...(isDry && report.sent.length > MOST_SHOWN ? [`  … and ${report.sent.length - MOST_SHOWN} more`] : []),
    ...(report.branch === 'newer'
      ? ['the branch has commits there that are not here: yours lies over it, for you alone']
      : []),
    ...(report.own === 0 ? [] : [`${countOf(report.own, 'uncommitted file')}: yours alone until you commit`]),
  ];
  output.answer(escapeControlKeepingLines(lines.join('\n')), { ...tree, ...report, bytes, dry_run: isDry });
}

const MOST_SHOWN = 20;
