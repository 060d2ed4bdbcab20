/** Runs one tool call: finds its project and its answer, and turns what was foreseen into one. */
import { InputNeeded, toAppError, type Detection, type Logger, type Project } from '../core/index.ts';
import {
  BadArguments,
  renderBadArguments,
  renderFailure,
  renderNoProject,
  renderProjectLine,
  renderRefusedProject,
  renderWeakGuess,
  toProjectValue,
  type NamedAnswer,
  type ProgressStep,
  type Tool,
  type ToolAnswer,
  type ToolServices,
} from '../tools/index.ts';
import { takeProjectArgument } from './project-argument.ts';

/** What the edge knows of a call and its connection. */
export interface CallSurroundings {
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly services: ToolServices;
  readonly client: string;
  /** Finds the project of this call; `explain` asks every source. */
  detect(argument: string | undefined, explain: boolean): Promise<Detection>;
  name(text: string): Promise<NamedAnswer>;
  choose(project: Project): boolean;
  /** Projects to choose from, most recent first. */
  candidates(): Promise<readonly Project[]>;
  progress(step: ProgressStep): Promise<void>;
  /** A word of advice for people whose client cannot tell its project, once per connection. */
  tipFor(detection: Detection): string | undefined;
}

export async function callTool(tool: Tool, given: unknown, around: CallSurroundings): Promise<ToolAnswer> {
  try {
    const taken = takeProjectArgument(given);
    if (taken.kind === 'conflict')
      throw new BadArguments(tool.name, [taken.problem], { project: '/home/me/web-shop' });
    const input = tool.parse(taken.args);
    const detection = await detectFor(tool, taken.project, around);
    const refusal = await refuse(tool, detection, around);
    if (refusal !== undefined) return refusal;
    const { signal, logger, services, client } = around;
    const answer = await tool.run(input, {
      detection,
      signal,
      logger,
      services,
      client,
      choose: (project) => around.choose(project),
      name: (text) => around.name(text),
      progress: (step) => around.progress(step),
    });
    if (detection.kind === 'none' && tool.project === 'reported' && answer.standsAlone !== true)
      return explainNoProject(answer, await around.candidates());
    return withProject(answer, tool, detection, around.tipFor(detection));
  } catch (thrown) {
    if (thrown instanceof InputNeeded) throw thrown;
    if (thrown instanceof BadArguments) return renderBadArguments(thrown);
    const error = toAppError(thrown);
    // The crash guard gives it a reference; a model could do nothing with the rest.
    if (error.facts.fault === 'bug') throw thrown;
    const instruction = error.hint ?? 'Call project_status to see what Waymark knows.';
    return renderFailure({ errorType: error.code, message: error.message, instruction });
  }
}

const NOT_ASKED: Detection = { kind: 'none', reports: [] };

async function detectFor(
  tool: Tool,
  argument: string | undefined,
  around: CallSurroundings,
): Promise<Detection> {
  switch (tool.project) {
    case 'none':
      return NOT_ASKED;
    case 'reported':
      return around.detect(argument, true);
    case 'required':
      return around.detect(argument, false);
  }
}

/** Why this call cannot go on with the project it has, or undefined if it can. */
async function refuse(
  tool: Tool,
  detection: Detection,
  around: CallSurroundings,
): Promise<ToolAnswer | undefined> {
  if (tool.project === 'none') return undefined;
  if (detection.kind === 'refused') return renderRefusedProject(detection.refused);
  if (tool.project === 'reported') return undefined;
  if (detection.kind === 'none') return renderNoProject(await around.candidates());
  const guessed = detection.weak && !detection.vcs;
  if (guessed && !tool.hints.readOnlyHint) return renderWeakGuess(detection, await around.candidates());
  return undefined;
}

/** A tool that reports on the project has more to say when there is none, but the same news comes first. */
function explainNoProject(answer: ToolAnswer, candidates: readonly Project[]): ToolAnswer {
  const failure = renderNoProject(candidates);
  return {
    text: `${failure.text}\n${answer.text}`,
    structured: { project: null, ...answer.structured, ...failure.structured },
    isError: true,
  };
}

/** Every answer says which project it speaks of. */
function withProject(
  answer: ToolAnswer,
  tool: Tool,
  detection: Detection,
  tip: string | undefined,
): ToolAnswer {
  const lines = [
    ...(tool.project === 'required' ? [renderProjectLine(detection)] : []),
    answer.text,
    ...(tip === undefined ? [] : [tip]),
  ];
  const project = tool.project === 'none' ? {} : { project: toProjectValue(detection) };
  return { ...answer, text: lines.join('\n'), structured: { ...project, ...answer.structured } };
}
