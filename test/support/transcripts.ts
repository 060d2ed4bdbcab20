/** A session as each client writes it down: the shapes that their published programs use. */
import type { TranscriptFormat } from '../../src/capture/index.ts';

export type Happened =
  | { readonly user: string }
  | { readonly agent: string }
  | { readonly run: string; readonly output: string; readonly code: number }
  | { readonly edit: string }
  | { readonly open: readonly string[]; readonly done: readonly string[] };

type Lines = (happened: readonly Happened[], folder: string) => readonly object[];

export function transcriptOf(
  format: TranscriptFormat,
  happened: readonly Happened[],
  folder = '/work/shop',
): string {
  return `${WRITERS[format](happened, folder)
    .map((line) => JSON.stringify(line))
    .join('\n')}\n`;
}

const plan = (
  { open, done }: { readonly open: readonly string[]; readonly done: readonly string[] },
  field: string,
) => [
  ...done.map((text) => ({ [field]: text, status: 'completed' })),
  ...open.map((text) => ({ [field]: text, status: 'pending' })),
];

const claude: Lines = (happened, folder) =>
  happened.flatMap((step, at): readonly object[] => {
    const id = `toolu_${at}`;
    const use = (name: string, input: object) => ({
      type: 'assistant',
      cwd: folder,
      message: { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
    });
    const result = (content: unknown, isError: boolean) => ({
      type: 'user',
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content, is_error: isError }],
      },
    });
    if ('user' in step) return [{ type: 'user', message: { role: 'user', content: step.user } }];
    if ('agent' in step)
      return [
        { type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text: step.agent }] } },
      ];
    if ('run' in step)
      return [
        use('Bash', { command: step.run }),
        result(step.code === 0 ? step.output : `Exit code ${step.code}\n${step.output}`, step.code !== 0),
      ];
    if ('edit' in step)
      return [
        use('Edit', { file_path: `${folder}/${step.edit}`, old_string: 'a', new_string: 'b' }),
        result('done', false),
      ];
    return [use('TodoWrite', { todos: plan(step, 'content') }), result('ok', false)];
  });

const codex: Lines = (happened, folder) => [
  { type: 'session_meta', payload: { id: 's', cwd: folder } },
  ...happened.flatMap((step, at): readonly object[] => {
    const id = `call_${at}`;
    const item = (payload: object) => ({ type: 'response_item', payload });
    const call = (name: string, args: object, output: string) => [
      item({ type: 'function_call', name, arguments: JSON.stringify(args), call_id: id }),
      item({ type: 'function_call_output', call_id: id, output }),
    ];
    const message = (role: string, type: string, text: string) =>
      item({ type: 'message', role, content: [{ type, text }] });
    if ('user' in step) return [message('user', 'input_text', step.user)];
    if ('agent' in step) return [message('assistant', 'output_text', step.agent)];
    if ('run' in step)
      return call(
        'exec_command',
        { cmd: step.run },
        `Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code ${step.code}\nOutput:\n${step.output}`,
      );
    if ('edit' in step)
      return [
        item({
          type: 'custom_tool_call',
          name: 'apply_patch',
          call_id: id,
          input: `*** Begin Patch\n*** Update File: ${step.edit}\n@@\n-a\n+b\n*** End Patch`,
        }),
        item({
          type: 'custom_tool_call_output',
          call_id: id,
          output: '{"output":"Success","metadata":{"exit_code":0}}',
        }),
      ];
    return call('update_plan', { plan: plan(step, 'step') }, 'Plan updated');
  }),
];

const gemini: Lines = (happened, folder) => [
  { sessionId: 's', projectHash: 'h', kind: 'main' },
  {
    $set: {
      messages: [{ id: 'c', type: 'user', content: [{ text: '<session_context>\nWe are setting up.' }] }],
    },
  },
  ...happened.map((step, at): object => {
    const id = `m${at}`;
    const call = (name: string, args: object, resultDisplay: string, isError = false) => ({
      id,
      type: 'gemini',
      content: '',
      toolCalls: [{ id: `c${at}`, name, args, status: isError ? 'error' : 'success', resultDisplay }],
    });
    // What hooks told stands before what was asked.
    const told = at === 0 ? '<hook_context>We decided to use buoys instead of piers.</hook_context>\n\n' : '';
    if ('user' in step) return { id, type: 'user', content: [{ text: `${told}${step.user}` }] };
    if ('agent' in step) return { id, type: 'gemini', content: step.agent };
    if ('run' in step) {
      const exit = step.code === 0 ? '' : `\nExit Code: ${step.code}`;
      const output = `<untrusted_context>\nOutput: ${step.output || '(empty)'}${exit}\nProcess Group PGID: 77\n</untrusted_context>`;
      const done = call('run_shell_command', { command: step.run }, step.output);
      const [only] = done.toolCalls;
      return { ...done, toolCalls: [{ ...only, result: [{ functionResponse: { response: { output } } }] }] };
    }
    if ('edit' in step)
      return call('replace', { file_path: `${folder}/${step.edit}`, old_string: 'a' }, 'done');
    return call('write_todos', { todos: plan(step, 'description') }, 'ok');
  }),
];

const opencode: Lines = (happened, folder) =>
  happened.map((step): object => {
    const tool = (name: string, input: object, output: string, exit = 0) => ({
      info: { role: 'assistant' },
      parts: [
        { type: 'tool', tool: name, state: { status: 'completed', input, output, metadata: { exit } } },
      ],
    });
    if ('user' in step) return { info: { role: 'user' }, parts: [{ type: 'text', text: step.user }] };
    if ('agent' in step) return { info: { role: 'assistant' }, parts: [{ type: 'text', text: step.agent }] };
    if ('run' in step) return tool('bash', { command: step.run }, step.output, step.code);
    if ('edit' in step) return tool('edit', { filePath: `${folder}/${step.edit}` }, 'ok');
    return tool('todowrite', { todos: plan(step, 'content') }, 'ok');
  });

const WRITERS: Readonly<Record<TranscriptFormat, Lines>> = {
  'claude-code': claude,
  cursor: claude,
  codex,
  'gemini-cli': gemini,
  opencode,
};
