/** Transcripts of messages with tool calls in them: Claude Code, Cursor, opencode and Gemini CLI keep one record per message. */
import { isFields, type Fields, listAt, plainText, type Session, type Step, textAt } from './session.ts';
import { failedBy, resultText, toolSteps, type ToolResult } from './tool-steps.ts';

/** Claude Code and Cursor: blocks of a message; what a tool gave back is a block of the next user message. */
export function readMessages(records: readonly Fields[]): Session {
  const results = new Map<string, ToolResult>();
  for (const record of records)
    for (const block of listAt(record, 'message', 'content')) {
      if (textAt(block, 'type') !== 'tool_result' || !isFields(block)) continue;
      const output = resultText(block['content']);
      const failed = block['is_error'] === true ? true : (failedBy(output) ?? false);
      results.set(textAt(block, 'tool_use_id'), { output, failed });
    }
  const steps: Step[] = [];
  let summary: string | undefined;
  for (const record of records) {
    if (record['type'] === 'summary') summary = textAt(record, 'summary') || summary;
    // Side chains are other agents; meta messages are the program's own words.
    if (record['isSidechain'] === true || record['isMeta'] === true) continue;
    const role = textAt(record, 'message', 'role') || textAt(record, 'role') || textAt(record, 'type');
    if (role !== 'user' && role !== 'assistant') continue;
    const content = isFields(record['message']) ? record['message']['content'] : undefined;
    if (record['isCompactSummary'] === true) {
      summary = plainText(content) || summary;
      continue;
    }
    const blocks: readonly unknown[] =
      typeof content === 'string' ? [{ type: 'text', text: content }] : listAt(record, 'message', 'content');
    for (const block of blocks) {
      if (textAt(block, 'type') === 'text')
        steps.push(...said(role === 'user' ? 'user' : 'agent', textAt(block, 'text')));
      if (textAt(block, 'type') === 'tool_use' && isFields(block))
        steps.push(...toolSteps(textAt(block, 'name'), block['input'], results.get(textAt(block, 'id'))));
    }
  }
  return { steps, summary };
}

/** Gemini CLI: a later record of the same id takes the place of the earlier one; a change of the session may hold messages too. */
export function readGemini(records: readonly Fields[]): Session {
  const messages = new Map<string, Fields>();
  for (const record of records.flatMap((one) => [one, ...listAt(one, '$set', 'messages')]))
    if (isFields(record) && textAt(record, 'id') !== '') messages.set(textAt(record, 'id'), record);
  const steps: Step[] = [];
  for (const message of messages.values()) {
    const type = textAt(message, 'type');
    if (type !== 'user' && type !== 'gemini') continue;
    steps.push(...said(type === 'user' ? 'user' : 'agent', plainText(message['content'])));
    for (const call of listAt(message, 'toolCalls')) {
      if (!isFields(call)) continue;
      // What is shown leaves out how a command ended; what the model was given says it.
      const given = geminiOutput(call['result']);
      const display = call['resultDisplay'];
      const output = typeof display === 'string' && display !== '' ? display : given;
      const failed =
        textAt(call, 'status') === 'error' ? true : (failedBy(given) ?? failedBy(output) ?? false);
      steps.push(...toolSteps(textAt(call, 'name'), call['args'], { output, failed }));
    }
  }
  return { steps, summary: undefined };
}

function geminiOutput(result: unknown): string {
  if (!Array.isArray(result)) return '';
  return result
    .map((part: unknown) => textAt(part, 'functionResponse', 'response', 'output') || textAt(part, 'text'))
    .join('\n');
}

/** opencode: what its plugin hands over, as its own interface gives it. */
export function readParts(records: readonly Fields[]): Session {
  const steps: Step[] = [];
  let summary: string | undefined;
  for (const record of records) {
    const role = textAt(record, 'info', 'role');
    const isSummary = isFields(record['info']) && record['info']['summary'] === true;
    for (const part of listAt(record, 'parts')) {
      if (!isFields(part)) continue;
      if (part['type'] === 'text' && part['synthetic'] !== true) {
        if (isSummary) summary = textAt(part, 'text') || summary;
        else steps.push(...said(role === 'user' ? 'user' : 'agent', textAt(part, 'text')));
      }
      if (part['type'] !== 'tool' || !isFields(part['state'])) continue;
      const { state } = part;
      const output = textAt(state, 'output') || textAt(state, 'error');
      const exit = isFields(state['metadata']) ? state['metadata']['exit'] : undefined;
      const failed =
        textAt(state, 'status') === 'error' ||
        (typeof exit === 'number' ? exit !== 0 : (failedBy(output) ?? false));
      steps.push(...toolSteps(textAt(part, 'tool'), state['input'], { output, failed }));
    }
  }
  return { steps, summary };
}

/** What a program puts into messages by itself is not what was said. */
const MACHINE =
  /^\s*(?:<(?:command-name|command-message|local-command|system-reminder|environment_context|user_instructions|session_context|permissions|task-notification|bash-(?:input|stdout|stderr))|# AGENTS\.md instructions|Caveat: |\[Request interrupted by user|This session is being continued from a previous conversation)/;

/** What hooks told, ours among them. */
const TOLD = /<hook_context>[\s\S]*?(?:<\/hook_context>|$)/g;

export function said(by: 'user' | 'agent', text: string): readonly Step[] {
  const own = (by === 'user' ? text.replaceAll(TOLD, '') : text).trim();
  return own === '' || (by === 'user' && MACHINE.test(own)) ? [] : [{ kind: 'said', by, text: own }];
}
