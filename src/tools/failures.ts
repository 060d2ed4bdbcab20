/** The answers of calls that cannot be served: what happened, and the exact next call. */
import type { Detection, Project, RefusedReport } from '../core/index.ts';
import { escapeControl } from '../text/index.ts';
import type { BadArguments, FailedAnswer } from './define-tool.ts';
import { renderCandidates, renderProjectLine, toProjectValue } from './render-project.ts';

export interface Failure {
  readonly errorType: string;
  readonly message: string;
  readonly instruction: string;
  readonly more?: Readonly<Record<string, unknown>>;
}

export function renderFailure({ errorType, message, instruction, more = {} }: Failure): FailedAnswer {
  return {
    text: `${escapeControl(message)}\nnext: ${escapeControl(instruction)}`,
    structured: { success: false, error_type: errorType, message, instruction, ...more },
    isError: true,
  };
}

export function renderBadArguments(bad: BadArguments): FailedAnswer {
  return renderFailure({
    errorType: 'bad_argument',
    message: `${bad.message} ${bad.problems.join('; ')}`,
    instruction: `Call ${bad.tool} with arguments such as ${JSON.stringify(bad.example)}`,
  });
}

const NO_PROJECT = 'No project detected. Set WAYMARK_PROJECT or use --project-from-cwd.';
const CHOOSE =
  'Project context not available. Call switch_project with the basename of the current working directory.';

export function renderNoProject(candidates: readonly Project[]): FailedAnswer {
  const instruction = 'Call switch_project with your project name';
  return {
    text: [NO_PROJECT, CHOOSE, `next: ${nextChoice(candidates)}`, ...renderKnown(candidates)].join('\n'),
    structured: {
      success: false,
      error_type: 'no_project',
      message: NO_PROJECT,
      instruction,
      candidates: candidates.map(({ name, root }) => ({ name, root })),
    },
    isError: true,
  };
}

/** The one call that works now: a name is enough for a known project alone. */
function nextChoice([latest]: readonly Project[]): string {
  const path = 'the absolute path of the folder you work in';
  if (latest === undefined) return `Call switch_project with project set to ${path}.`;
  const known = escapeControl(JSON.stringify({ project: latest.root }));
  return `Call switch_project with ${known} if you work there, or with ${path}.`;
}

function renderKnown(candidates: readonly Project[]): readonly string[] {
  return candidates.length === 0 ? [] : [renderCandidates(candidates)];
}

const SEE_STATUS =
  'Call project_status to see what every source says, then pass an absolute path as `project`.';

/** A project that was named and cannot be used, or must not. */
export function renderRefusedProject(
  { message, why }: Pick<RefusedReport, 'message' | 'why'>,
  instruction = SEE_STATUS,
): FailedAnswer {
  const errorType = why === 'forbidden' ? 'project_forbidden' : 'bad_project';
  return renderFailure({ errorType, message, instruction });
}

function guessedFrom({ source, via }: Extract<Detection, { kind: 'found' }>): string {
  if (source === 'cwd') return 'the working directory';
  return source === 'pwd' ? 'the PWD variable' : `${via}, which a client set for a server of its own`;
}

/** A write to a guess: asking costs a call, writing to the wrong project costs the user's trust. */
export function renderWeakGuess(
  detection: Extract<Detection, { kind: 'found' }>,
  candidates: readonly Project[],
): FailedAnswer {
  const message = `This call writes, and ${detection.project.root} is only a guess from ${guessedFrom(detection)}.`;
  const instruction = `Call again with project=${JSON.stringify(detection.project.root)} if that is the project you mean.`;
  return {
    text: [
      renderProjectLine(detection),
      escapeControl(message),
      `next: ${escapeControl(instruction)}`,
      renderCandidates(candidates),
    ].join('\n'),
    structured: {
      project: toProjectValue(detection),
      success: false,
      error_type: 'weak_project',
      message,
      instruction,
      candidates: candidates.map(({ name, root }) => ({ name, root })),
    },
    isError: true,
  };
}
