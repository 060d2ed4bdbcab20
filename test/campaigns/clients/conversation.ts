/** What the stand-in model wants to do: calls one after the other, and what a sensible model does in between. */
import type { Asked, DeclaredTool, Reply } from './model/turn.ts';

export interface Step {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface Conversation {
  /** The folder that the agent was started in: what a model names when it is asked for the project. */
  readonly folder: string;
  readonly steps: readonly Step[];
  /** Tells its calls from those of earlier turns of the same session. */
  readonly prefix?: string;
  /** Its last words. */
  readonly closing?: string;
}

/** How the stand-in answers this request. It keeps nothing: the results in the request say how far things are. */
export function planReply(conversation: Conversation, asked: Asked, requestText: string): Reply {
  const wanted = nextCall(conversation, asked);
  if (wanted === undefined) return { kind: 'text', text: conversation.closing ?? 'All calls are made.' };
  const { id, step } = wanted;
  const tool = findTool(asked.tools, step.tool);
  if (tool !== undefined) return { kind: 'call', id, tool, args: { ...step.args, ...addedBy(tool) } };
  return loadTool(asked, requestText, wanted);
}

/** The results of the steps, by their number: of the repeated call where one had to be repeated. */
export function resultsOf(conversation: Conversation, asked: Asked): readonly (string | undefined)[] {
  const read = readResults(asked);
  return conversation.steps.map((_, at) => read(`call_again_${at}`) ?? read(`call_step_${at}`));
}

/** Whether the model had to name the project. */
export function wasAsked(asked: Asked): boolean {
  return asked.results.some(({ id }) => id.startsWith('call_switch_'));
}

/** Models fill in what the declaration offers: Gemini CLI adds this to every tool, and sends it on. */
function addedBy(tool: DeclaredTool): Readonly<Record<string, unknown>> {
  return tool.parameters?.includes('wait_for_previous') === true ? { wait_for_previous: true } : {};
}

interface Wanted {
  readonly id: string;
  readonly step: Step;
}

function nextCall({ folder, steps, prefix = 'call' }: Conversation, asked: Asked): Wanted | undefined {
  const read = readResults(asked);
  let named = {};
  for (const [at, { tool, args }] of steps.entries()) {
    const first = read(`${prefix}_step_${at}`);
    if (first === undefined)
      return { id: `${prefix}_step_${at}`, step: { tool, args: { ...args, ...named } } };
    if (!asksForProject(first)) continue;
    const switched = read(`${prefix}_switch_${at}`);
    const choice = { tool: 'switch_project', args: { project: folder } };
    if (switched === undefined) return { id: `${prefix}_switch_${at}`, step: choice };
    if (switched.includes('pass project=')) named = { project: folder };
    const again = read(`${prefix}_again_${at}`);
    if (again === undefined)
      return { id: `${prefix}_again_${at}`, step: { tool, args: { ...args, ...named } } };
  }
  return undefined;
}

/** A refusal that names the tool to call. project_status says the same where there is no project. */
function asksForProject(text: string): boolean {
  return /Call switch_project/.test(text);
}

function readResults(asked: Asked): (id: string) => string | undefined {
  return (id) => asked.results.find((result) => result.id === id)?.text;
}

/** Most agents put the server's name in front, each in its own way. */
export function findTool(tools: readonly DeclaredTool[], name: string): DeclaredTool | undefined {
  const own = tools.filter((tool) => /waymark/.test(`${tool.namespace ?? ''} ${tool.name}`));
  return own.find((tool) => tool.name.endsWith(name)) ?? tools.find((tool) => tool.name === name);
}

/** Agents that show names first let the model load a tool by a search; then it can be called, declared or not. */
function loadTool(asked: Asked, requestText: string, { id, step }: Wanted): Reply {
  const search = asked.tools.find((tool) => /tool_?search/i.test(tool.name));
  // The text is JSON: an escape in front of the name is no part of it.
  const [name] = new RegExp(`\\w*waymark\\w*${step.tool}`).exec(requestText.replaceAll('\\n', ' ')) ?? [];
  if (search === undefined || name === undefined)
    return { kind: 'text', text: `There is no tool ${step.tool}.` };
  const loading = `call_load_${step.tool}`;
  return asked.results.some((result) => result.id === loading)
    ? { kind: 'call', id, tool: { name }, args: step.args }
    : { kind: 'call', id: loading, tool: search, args: { query: `select:${name}` } };
}
