/** Runs one tool call: finds the tool, runs it, and turns what it was able to foresee into an answer. */
import { toAppError } from '../core/index.ts';
import { escapeControl } from '../text/index.ts';
import { BadArguments, type Tool, type ToolAnswer, type ToolCall } from '../tools/index.ts';

export interface AskedCall {
  readonly name: string;
  readonly arguments?: unknown;
}

/** Undefined when there is no such tool: how that is said differs by protocol era. A bug of ours is thrown on. */
export async function callTool(
  tools: ReadonlyMap<string, Tool>,
  asked: AskedCall,
  call: ToolCall,
): Promise<ToolAnswer | undefined> {
  const tool = tools.get(asked.name);
  if (tool === undefined) return undefined;
  try {
    return await tool.call(asked.arguments, call);
  } catch (thrown) {
    if (thrown instanceof BadArguments) return renderBadArguments(thrown);
    const error = toAppError(thrown);
    // The crash guard gives it a reference; a model could do nothing with the rest.
    if (error.facts.fault === 'bug') throw thrown;
    const instruction = error.hint ?? 'Call project_status to see what Waymark knows.';
    return {
      text: `${escapeControl(error.message)}\nnext: ${escapeControl(instruction)}`,
      structured: { success: false, error_type: error.code, message: error.message, instruction },
      isError: true,
    };
  }
}

function renderBadArguments(bad: BadArguments): ToolAnswer {
  const instruction = `Call ${bad.tool} with arguments such as ${JSON.stringify(bad.example)}`;
  const message = `${bad.message} ${bad.problems.join('; ')}`;
  return {
    text: `${escapeControl(message)}\nnext: ${instruction}`,
    structured: { success: false, error_type: 'bad_argument', message, instruction },
    isError: true,
  };
}
