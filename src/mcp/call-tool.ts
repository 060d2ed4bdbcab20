/** Runs one tool call: finds its project and its answer, and turns what was foreseen into one. */
import {
  InputNeeded,
  toAppError,
  type Detection,
  type Logger,
  type Project,
  type RefusedReport,
  type GitIdentity,
} from '../core/index.ts';
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
import { fitAnswer } from './fit-answer.ts';
import { takeProjectArgument } from './project-argument.ts';

/** What the edge knows of a call and its connection. */
export interface CallSurroundings {
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly services: ToolServices;
  readonly client: string;
  /** Finds the project of this call; `explain` asks every source. */
  detect(argument: string | undefined, explain: boolean): Promise<Detection>;
  /** The same without asking the client anything; throws InputNeeded where it would have to be asked. */
  detectUnasked(argument: string | undefined): Promise<Detection>;
  name(text: string): Promise<NamedAnswer>;
  choose(project: Project): boolean;
  git(detection: Detection): GitIdentity | undefined;
  /** Why what was found is no longer this call's project, if it is not. */
  recheck(detection: Detection): RefusedReport | undefined;
  /** Projects to choose from, most recent first. */
  candidates(): Promise<readonly Project[]>;
  progress(step: ProgressStep): Promise<void>;
  /** A word of advice for people whose client cannot tell its project, once per connection. */
  tipFor(detection: Detection): string | undefined;
}

export async function callTool(tool: Tool, given: unknown, around: CallSurroundings): Promise<ToolAnswer> {
  return fitAnswer(await answerCall(tool, given, around));
}

async function answerCall(tool: Tool, given: unknown, around: CallSurroundings): Promise<ToolAnswer> {
  let detected: Detection | undefined;
  try {
    const taken = takeProjectArgument(given);
    if (taken.kind === 'conflict')
      throw new BadArguments(tool.name, [taken.problem], { project: '/home/me/web-shop' });
    const input = tool.parse(taken.args);
    const detection = await detectFor(tool, taken.project, around);
    detected = detection;
    const refusal = await refuse(tool, detection, around);
    if (refusal !== undefined) return refusal;
    const { signal, logger, services, client } = around;
    const answer = await tool.run(input, {
      detection,
      signal,
      logger,
      services,
      client,
      git: () => around.git(detection),
      choose: (project) => around.choose(project),
      name: (text) => around.name(text),
      candidates: () => around.candidates(),
      progress: (step) => around.progress(step),
    });
    const moved = around.recheck(detection);
    if (moved !== undefined) return renderRefusedProject(moved);
    if (answer.standsAlone !== true) {
      if (detection.kind === 'none' && tool.project === 'reported')
        return explainFailure(renderNoProject(await around.candidates()), answer);
      if (detection.kind === 'refused')
        return explainFailure(renderRefusedProject(detection.refused), answer);
    }
    // What reports on the project says it itself.
    const line = tool.project === 'required' ? renderProjectLine(detection) : undefined;
    return withProject(answer, tool, detection, { line, tip: around.tipFor(detection) });
  } catch (thrown) {
    if (thrown instanceof InputNeeded) throw thrown;
    const failure = thrown instanceof BadArguments ? renderBadArguments(thrown) : toFailure(thrown);
    if (thrown instanceof BadArguments) detected ??= await detectUnasked(tool, given, around);
    // Whoever reads of a failure must know which project it happened in.
    if (detected?.kind !== 'found') return failure;
    const moved = around.recheck(detected);
    if (moved !== undefined) return renderRefusedProject(moved);
    return withProject(failure, tool, detected, { line: renderProjectLine(detected) });
  }
}

function toFailure(thrown: unknown): ToolAnswer {
  const error = toAppError(thrown);
  // The crash guard gives it a reference; a model could do nothing with the rest.
  if (error.facts.fault === 'bug') throw thrown;
  const instruction = error.hint ?? 'Call project_status to see what Waymark knows.';
  return renderFailure({ errorType: error.code, message: error.message, instruction });
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

/** The project of a call that failed before it was looked for: nobody is asked for the sake of a failure. */
async function detectUnasked(
  tool: Tool,
  given: unknown,
  around: CallSurroundings,
): Promise<Detection | undefined> {
  const taken = takeProjectArgument(given);
  if (tool.project === 'none' || taken.kind === 'conflict') return undefined;
  try {
    return await around.detectUnasked(taken.project);
  } catch (thrown) {
    if (thrown instanceof InputNeeded) return undefined;
    throw thrown;
  }
}

/** Why this call cannot go on with the project it has, or undefined if it can. */
async function refuse(
  tool: Tool,
  detection: Detection,
  around: CallSurroundings,
): Promise<ToolAnswer | undefined> {
  if (tool.project !== 'required') return undefined;
  if (detection.kind === 'refused') return renderRefusedProject(detection.refused);
  if (detection.kind === 'none') return renderNoProject(await around.candidates());
  const guessed = detection.weak && !detection.vcs;
  if (guessed && !tool.hints.readOnlyHint) return renderWeakGuess(detection, await around.candidates());
  return undefined;
}

/** A tool that reports on the project has more to say when there is none, but the same news comes first. */
function explainFailure(failure: ToolAnswer, answer: ToolAnswer): ToolAnswer {
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
  { line, tip }: { readonly line: string | undefined; readonly tip?: string | undefined },
): ToolAnswer {
  const lines = [line, answer.text, tip].filter((part) => part !== undefined);
  const project = tool.project === 'none' ? {} : { project: toProjectValue(detection) };
  return { ...answer, text: lines.join('\n'), structured: { ...project, ...answer.structured } };
}
