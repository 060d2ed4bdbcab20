/** What must hold for an agent over a transport, judged from what was seen. */
import { CHECKPOINT, SECOND_CHECKPOINT, SKILL, SOLUTION, THIRD_CHECKPOINT } from './scenes.ts';
import type { SceneRecord, TrialRecord } from './trial.ts';
import { CODE, CODE_PATH } from './workspace.ts';

export interface Check {
  readonly name: string;
  /** What was seen instead, where it does not hold. */
  readonly fault: string | undefined;
}

export function judge(record: TrialRecord): readonly Check[] {
  const { repository } = record.scenes;
  const [status, search, , resumed, , fix, , skill] = repository.results.map(readable);
  return [
    {
      name: 'connects',
      fault: status === undefined ? `no answer:\n${repository.agentOutput.slice(-600)}` : undefined,
    },
    { name: 'lists all tools', fault: missingTools(record) },
    { name: 'calls', fault: failedCalls(record) },
    { name: 'reads code', fault: missingCode(search) },
    { name: 'reads checkpoint', fault: missingText(resumed, CHECKPOINT) },
    { name: 'reads solution', fault: missingText(fix, SOLUTION) },
    { name: 'reads skill', fault: missingText(skill, SKILL) },
    { name: 'repository', fault: wrongProject(record.scenes.repository, record.workspace.repository) },
    { name: 'subfolder', fault: subfolderFault(record) },
    { name: 'second project', fault: secondFault(record) },
    { name: 'without git', fault: withoutGitFault(record) },
    { name: 'setup', fault: setupFault(record) },
    { name: 'doctor', fault: doctorFault(record) },
    { name: 'uninstall', fault: uninstallFault(record) },
  ];
}

/** Some agents hand over JSON; the model reads the texts in it. */
export function readable(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const at = text.search(/[[{]/);
  if (at === -1) return text;
  try {
    return textsIn(JSON.parse(text.slice(at))).join('\n');
  } catch {
    return text;
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** How the project was found, as the answers say. */
export function sourceOf(scene: SceneRecord): string | undefined {
  return projectIn(scene)?.source;
}

function projectIn(scene: SceneRecord): { readonly root: string; readonly source: string } | undefined {
  const at = scene.script.steps.findIndex(({ tool }) => tool === 'project_status');
  const [, root = '', source = ''] =
    /project: .*? \((\/.*?), via ([^)]+)\)/.exec(readable(scene.results[at]) ?? '') ?? [];
  return root === '' ? undefined : { root, source };
}

function missingTools({ toolNames, scenes }: TrialRecord): string | undefined {
  const missing = toolNames.filter((name) => !scenes.repository.firstRequest.includes(name));
  return missing.length === 0 ? undefined : `not told to the model: ${missing.join(', ')}`;
}

function failedCalls({ scenes }: TrialRecord): string | undefined {
  const failed = Object.values(scenes).flatMap(({ script, results }) =>
    script.steps.flatMap(({ tool }, at) => {
      const text = results[at];
      if (text === undefined) return [`${tool}: no answer`];
      return /error_type|unknown argument|internal error|MCP error|no such tool|tool_use_error/i.test(text)
        ? [`${tool}: ${text.slice(0, 300)}`]
        : [];
    }),
  );
  return failed.length === 0 ? undefined : failed.join('\n');
}

/** The definition that answers: each line behind its number and one and the same separator, with the indent of the file. */
export function missingCode(text: string | undefined): string | undefined {
  const lines = CODE.split('\n');
  const from = lines.findIndex((line) => line.includes('expireIdleSessions('));
  const to = lines.findIndex((line) => line.includes('return expired;')) + 1;
  const shown = (text ?? '').split('\n');
  const separators = lines.slice(from, to + 1).map((line, at) => {
    const start = new RegExp(`^\\s*${from + at + 1}(\\W*)$`);
    const found = shown.filter((each) => each.endsWith(line)).map((each) => each.slice(0, -line.length));
    return found.flatMap((each) => start.exec(each)?.[1] ?? [])[0];
  });
  const isWhole = separators.every((each) => each !== undefined) && new Set(separators).size === 1;
  return isWhole ? undefined : `not word for word in ${JSON.stringify(text)}`;
}

function missingText(text: string | undefined, wanted: string): string | undefined {
  return text?.includes(wanted) === true ? undefined : `not word for word in ${JSON.stringify(text)}`;
}

function wrongProject(scene: SceneRecord, wanted: string): string | undefined {
  const root = projectIn(scene)?.root;
  return root === wanted ? undefined : `the project is ${root ?? 'not named'}`;
}

/** Index and memory are those of the repository. A folder that the model itself named is taken as given, but for memory. */
function subfolderFault({ scenes: { subfolder }, workspace }: TrialRecord): string | undefined {
  const [, search, resumed] = subfolder.results.map(readable);
  const isNamed = projectIn(subfolder)?.root === workspace.subfolder && subfolder.wasAsked;
  const index = search?.includes(CODE_PATH) === true ? undefined : `the index is another: ${search}`;
  return (
    (isNamed ? undefined : (wrongProject(subfolder, workspace.repository) ?? index)) ??
    missingText(resumed, CHECKPOINT)
  );
}

/** Nothing of the second project goes to the first. */
function secondFault(record: TrialRecord): string | undefined {
  const { scenes, workspace, firstMemory } = record;
  if (firstMemory.includes('Shelves are numbered')) return 'written to the first project';
  return wrongProject(scenes.second, workspace.second) ?? ownCheckpoint(scenes.second, SECOND_CHECKPOINT);
}

function withoutGitFault({ scenes, workspace }: TrialRecord): string | undefined {
  return (
    wrongProject(scenes.withoutGit, workspace.withoutGit) ??
    ownCheckpoint(scenes.withoutGit, THIRD_CHECKPOINT)
  );
}

function ownCheckpoint(scene: SceneRecord, content: string): string | undefined {
  const at = scene.script.steps.findIndex(({ tool }) => tool === 'checkpoint_resume');
  return missingText(readable(scene.results[at]), content);
}

function setupFault({ setup: { setup, changed } }: TrialRecord): string | undefined {
  if (setup.code !== 0) return setup.output;
  return changed.length === 0 ? 'setup changed no file' : undefined;
}

function doctorFault({ setup: { doctor }, agent }: TrialRecord): string | undefined {
  const found = parseFindings(doctor.stdout).filter(({ id }) => id === 'client');
  const isFine = found.length > 0 && found.every(({ level }) => level === 'ok');
  return isFine ? undefined : `doctor on ${agent.name}: ${JSON.stringify(found)}`;
}

function parseFindings(text: string): readonly { readonly id: string; readonly level: string }[] {
  try {
    // The form of `doctor --json`.
    return (JSON.parse(text) as { findings: { id: string; level: string }[] }).findings;
  } catch {
    return [];
  }
}

function uninstallFault({ setup: { uninstall, left }, remains }: TrialRecord): string | undefined {
  if (uninstall.code !== 0) return uninstall.output;
  if (left.length > 0) return `not as before: ${left.join(', ')}`;
  return remains.length === 0 ? undefined : `still names the server: ${remains.join(', ')}`;
}
