/** What a tool of the conformance fixture is, and the words all of them use. */
import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';

export interface FixtureTool {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema; no arguments if left out. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  run(
    args: Readonly<Record<string, unknown>>,
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult>;
}

/** One red pixel. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

/** A WAV file that holds no sample. */
export const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';

export function textResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}
