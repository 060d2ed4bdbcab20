/**
 * Runs one tool call: takes its project from the arguments, finds it, runs the tool, and turns foreseen errors into answers,
 * and cuts what is too long.
 */
import { InputNeeded, toAppError, type Detection } from '../core/index.ts';
import { type CallContext, BadArguments, type Tool, type ToolAnswer } from './define-tool.ts';
import {
  renderBadArguments,
  renderFailure,
  renderNoProject,
  renderRefusedProject,
  renderWeakGuess,
} from './failures.ts';
import { renderProjectLine, toProjectValue } from './render-project.ts';

export async function callTool(tool: Tool, given: unknown, context: CallContext): Promise<ToolAnswer> {
  const { observe, transport, principal } = context;
  if (observe === undefined) return fitAnswer(await answerCall(tool, given, context));
  const ended = observe.call({
    tool: tool.name,
    args: given,
    client: context.clientName(),
    transport,
    principal,
    writes: !tool.hints.readOnlyHint,
  });
  let detection: Detection | undefined;
  let answer: ToolAnswer | undefined;
  const noted: CallContext = {
    ...context,
    detect: async (...asked) => (detection = await context.detect(...asked)),
  };
  try {
    answer = fitAnswer(await answerCall(tool, given, noted));
    return answer;
  } finally {
    ended({ answer, detection });
  }
}

async function answerCall(tool: Tool, given: unknown, context: CallContext): Promise<ToolAnswer> {
  let detected: Detection | undefined;
  try {
    const taken = takeProjectArgument(given);
    if (taken.kind === 'conflict')
      throw new BadArguments(tool.name, [taken.problem], { project: '/home/me/web-shop' });
    const input = tool.parse(taken.args);
    const detection = await detectFor(tool, taken.project, context);
    detected = detection;
    const refusal = await refuse(tool, detection, context);
    if (refusal !== undefined) return refusal;
    const answer = await tool.run(input, { ...context, detection });
    const moved = context.recheck(detection);
    if (moved !== undefined) return renderRefusedProject(moved);
    if (answer.standsAlone !== true) {
      if (detection.kind === 'none' && tool.project === 'reported')
        return explainFailure(renderNoProject(await context.candidates()), answer);
      if (detection.kind === 'refused')
        return explainFailure(renderRefusedProject(detection.refused), answer);
    }
    // What reports on the project says it itself.
    const line = tool.project === 'required' ? renderProjectLine(detection) : undefined;
    return withProject(answer, tool, detection, { line, tip: context.tipFor(detection) });
  } catch (thrown) {
    if (thrown instanceof InputNeeded) throw thrown;
    const failure = thrown instanceof BadArguments ? renderBadArguments(thrown) : toFailure(thrown);
    if (thrown instanceof BadArguments) detected ??= await detectUnasked(tool, given, context);
    // A failure says which project it happened in.
    if (detected?.kind !== 'found') return failure;
    const moved = context.recheck(detected);
    if (moved !== undefined) return renderRefusedProject(moved);
    return withProject(failure, tool, detected, { line: renderProjectLine(detected) });
  }
}

function toFailure(thrown: unknown): ToolAnswer {
  const error = toAppError(thrown);
  // The edge answers a bug with a reference; a model could do nothing with the rest.
  if (error.facts.fault === 'bug') throw thrown;
  const instruction = error.hint ?? 'Call project_status to see what Waymark knows.';
  return renderFailure({ errorType: error.code, message: error.message, instruction });
}

const NOT_ASKED: Detection = { kind: 'none', reports: [] };

async function detectFor(tool: Tool, argument: string | undefined, context: CallContext): Promise<Detection> {
  switch (tool.project) {
    case 'none':
      return NOT_ASKED;
    case 'reported':
      return context.detect(argument, { explain: true });
    case 'required':
      return context.detect(argument, { explain: false });
  }
}

/** The project of a call that failed before it was looked for: the client is not asked for the sake of a failure. */
async function detectUnasked(
  tool: Tool,
  given: unknown,
  context: CallContext,
): Promise<Detection | undefined> {
  const taken = takeProjectArgument(given);
  if (tool.project === 'none' || taken.kind === 'conflict') return undefined;
  try {
    return await context.detect(taken.project, { explain: false, unasked: true });
  } catch (thrown) {
    if (thrown instanceof InputNeeded) return undefined;
    throw thrown;
  }
}

/** Why this call cannot go on with the project it has, or undefined if it can. */
async function refuse(
  tool: Tool,
  detection: Detection,
  context: CallContext,
): Promise<ToolAnswer | undefined> {
  if (tool.project !== 'required') return undefined;
  if (detection.kind === 'refused') return renderRefusedProject(detection.refused);
  if (detection.kind === 'none') return renderNoProject(await context.candidates());
  const guessed = detection.weak && !detection.vcs;
  if (guessed && !tool.hints.readOnlyHint) return renderWeakGuess(detection, await context.candidates());
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

const PROJECT_ARGUMENTS = ['project', 'project_path', 'index_name'] as const;

type TakenProject =
  | {
      readonly kind: 'args';
      readonly args: Readonly<Record<string, unknown>>;
      readonly project: string | undefined;
    }
  | { readonly kind: 'conflict'; readonly problem: string };

/** A slash at the end makes no other directory. */
function withoutSlash(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/(?<=[^\\/])[\\/]+$/, '') : value;
}

/**
 * Every tool takes the project under three names; inside there is one. Null and empty text name nothing. Arguments that are no
 * object are left for the tool's own schema to complain of.
 */
function takeProjectArgument(given: unknown): TakenProject {
  const args = typeof given === 'object' && given !== null && !Array.isArray(given) ? { ...given } : {};
  const named = new Map<string, unknown>();
  for (const name of PROJECT_ARGUMENTS) {
    const value: unknown = Reflect.get(args, name);
    const isAbsent = value === undefined || value === null || value === '';
    if (!isAbsent) named.set(name, value);
    if (isAbsent || name !== 'project') Reflect.deleteProperty(args, name);
  }
  const values = [...new Map([...named.values()].map((value) => [withoutSlash(value), value])).values()];
  if (values.length > 1) {
    const names = [...named.keys()].map((name) => `\`${name}\``).join(' and ');
    return { kind: 'conflict', problem: `${names} name different projects; pass only \`project\`` };
  }
  const [project] = values;
  if (project === undefined) return { kind: 'args', args, project: undefined };
  return {
    kind: 'args',
    args: { ...args, project },
    project: typeof project === 'string' ? project : undefined,
  };
}

export const MOST_ANSWER_CHARS = 45_000;
const NOTE_CHARS = 200;

/** Cuts an answer that is longer than a conversation can take, and says so. Tools with a budget of their own never come near it. */
export function fitAnswer(answer: ToolAnswer): ToolAnswer {
  const text = fitText(answer.text);
  const structured = fitValue(answer.structured);
  return text === answer.text && structured === answer.structured ? answer : { ...answer, text, structured };
}

function fitText(text: string): string {
  if (text.length <= MOST_ANSWER_CHARS) return text;
  const end = text.lastIndexOf('\n', MOST_ANSWER_CHARS - NOTE_CHARS);
  // A line that long has no better place to be cut at; half a surrogate pair is none.
  const kept = text
    .slice(0, end > MOST_ANSWER_CHARS / 2 ? end : MOST_ANSWER_CHARS - NOTE_CHARS)
    .replace(/[\ud800-\udbff]$/, '');
  return `${kept}\n… ${text.length - kept.length} characters were left out: ask for less at a time, with a limit, a filter or a range.`;
}

type Value = Readonly<Record<string, unknown>>;

/** Its longest list or text is halved until all fits: what is left keeps its shape. */
function fitValue(value: Value): Value {
  let fitting = value;
  let size = JSON.stringify(fitting).length;
  while (size > MOST_ANSWER_CHARS - NOTE_CHARS) {
    fitting = halveLongest(fitting);
    const smaller = JSON.stringify(fitting).length;
    // Nothing left that could be shortened: many small fields, which no tool has.
    if (smaller >= size) break;
    size = smaller;
  }
  return fitting === value ? value : { ...fitting, left_out: 'what is too long for one answer was cut' };
}

function halveLongest(value: Value): Value {
  const sizes = Object.entries(value).map(([key, part]) => ({
    key,
    part,
    size: JSON.stringify(part)?.length ?? 0,
  }));
  const longest = sizes.toSorted((a, b) => b.size - a.size)[0];
  return longest === undefined ? value : { ...value, [longest.key]: halve(longest.part) };
}

function halve(part: unknown): unknown {
  if (typeof part === 'string')
    return part.slice(0, Math.floor(part.length / 2)).replace(/[\ud800-\udbff]$/, '');
  if (Array.isArray(part))
    return part.length > 1 ? part.slice(0, Math.ceil(part.length / 2)) : part.map(halve);
  // What is neither text nor list is an object here; numbers are never the longest.
  return typeof part === 'object' && part !== null ? halveLongest({ ...part }) : part;
}
