/** Runs one tool call: finds the tool, runs it, and turns whatever happens into an answer. The only catch. */
import { toAppError, type Logger } from '../core/index.ts';
import { escapeControl } from '../text/index.ts';
import { BadArguments, type Tool, type ToolAnswer, type ToolCall } from '../tools/index.ts';

export interface CallDependencies {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly logger: Logger;
}

/** Undefined when there is no such tool: how that is said differs by protocol era. */
export async function callTool(
  { tools, logger }: CallDependencies,
  name: string,
  args: unknown,
  call: ToolCall,
): Promise<ToolAnswer | undefined> {
  const tool = tools.get(name);
  if (tool === undefined) return undefined;
  try {
    return await tool.call(args, call);
  } catch (thrown) {
    if (thrown instanceof BadArguments) return renderBadArguments(thrown);
    const error = toAppError(thrown);
    if (error.facts.fault === 'bug')
      logger.error('a tool failed', { tool: name, cause: describe(error.cause) });
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

function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
