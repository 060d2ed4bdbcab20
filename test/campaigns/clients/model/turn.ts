/** One turn of a conversation with a model, whatever API carries it. */

export interface DeclaredTool {
  readonly name: string;
  /** Responses API: the group that the tool belongs to. */
  readonly namespace?: string | undefined;
  readonly parameters?: readonly string[];
}

/** What the agent sent back for a call: exactly what the model reads. */
export interface ToolResult {
  readonly id: string;
  readonly text: string;
}

export interface Asked {
  readonly tools: readonly DeclaredTool[];
  readonly results: readonly ToolResult[];
  readonly isStreamed: boolean;
}

export type Reply =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'call';
      readonly id: string;
      readonly tool: DeclaredTool;
      readonly args: Readonly<Record<string, unknown>>;
    };

export interface WireAnswer {
  readonly type: 'application/json' | 'text/event-stream';
  readonly body: string;
}

/** How one API writes its requests and answers. */
export interface WireForm {
  readonly takes: (path: string) => boolean;
  readonly read: (body: JsonObject, path: string) => Asked;
  readonly write: (reply: Reply, asked: Asked) => WireAnswer;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function objectOf(value: unknown): JsonObject {
  // An object that came out of JSON has text keys; what they hold is looked at one by one.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Content as APIs write it: text, or a list of parts. A part that is no text stands there as JSON. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return JSON.stringify(content ?? '');
  return objectsOf(content)
    .map((part) => (typeof part['text'] === 'string' ? part['text'] : JSON.stringify(part)))
    .join('\n');
}

/** Server-sent events, named where the API names them. */
export function eventStream(events: readonly JsonObject[], naming: 'named' | 'plain'): string {
  return events
    .map((event) => {
      const name = naming === 'named' ? `event: ${textOf(event['type'])}\n` : '';
      return `${name}data: ${JSON.stringify(event)}\n\n`;
    })
    .join('');
}
