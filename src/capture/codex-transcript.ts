/** Codex's rollout: one record per item; a call and what it gave back are items of their own, joined by an id. */
import { said } from './message-transcript.ts';
import { isFields, type Fields, plainText, type Session, type Step, textAt } from './session.ts';
import { failedBy, resultText, toolSteps, type ToolResult } from './tool-steps.ts';

export function readCodex(records: readonly Fields[]): Session {
  const items = records.flatMap((record) => {
    const { payload } = record;
    return record['type'] === 'response_item' && isFields(payload) ? [payload] : [];
  });
  const results = new Map<string, ToolResult>();
  for (const item of items)
    if (textAt(item, 'type').endsWith('_output'))
      results.set(textAt(item, 'call_id'), toResult(item['output']));
  const steps: Step[] = [];
  let summary: string | undefined;
  for (const record of records) {
    const { payload } = record;
    if (record['type'] === 'compacted') summary = textAt(payload, 'message') || summary;
    if (record['type'] !== 'response_item' || !isFields(payload)) continue;
    const type = textAt(payload, 'type');
    if (type === 'message') {
      const role = textAt(payload, 'role');
      if (role === 'user' || role === 'assistant')
        steps.push(...said(role === 'user' ? 'user' : 'agent', plainText(payload['content'])));
    } else if (type === 'function_call' || type === 'custom_tool_call')
      steps.push(
        ...toolSteps(
          textAt(payload, 'name'),
          payload['arguments'] ?? payload['input'],
          results.get(textAt(payload, 'call_id')),
        ),
      );
    else if (type === 'local_shell_call')
      steps.push(...toolSteps('local_shell', payload['action'], results.get(textAt(payload, 'call_id'))));
  }
  return { steps, summary };
}

/** An output is text, or JSON of a text and how the command ended. */
function toResult(output: unknown): ToolResult {
  const text = resultText(output);
  if (text.startsWith('{'))
    try {
      const value: unknown = JSON.parse(text);
      const code: unknown =
        isFields(value) && isFields(value['metadata']) ? value['metadata']['exit_code'] : undefined;
      if (isFields(value) && typeof value['output'] === 'string')
        return { output: value['output'], failed: typeof code === 'number' ? code !== 0 : undefined };
    } catch {
      // It was no such JSON: the text is the output.
    }
  return { output: text, failed: failedBy(text) };
}
