/** What a call of an agent's tool was: a command, an edit, a list of tasks; by the names and arguments that agents use. */
import { type Fields, isFields, listAt, plainText, type Step, textAt } from './session.ts';

const SHELLS =
  /^(?:bash|shell|local_shell|exec_command|exec|container\.exec|run_shell_command|run_terminal_cmd|shell_command|terminal)$/i;
const EDITORS =
  /^(?:edit|multiedit|write|notebookedit|apply_patch|applypatch|patch|replace|write_file|edit_file|search_replace|create_file|delete_file|str_replace_editor)$/i;
const PLANNERS = /^(?:todowrite|todo_write|write_todos|update_plan|taskcreate|taskupdate)$/i;
const ASKERS = /^(?:askuserquestion|ask_user_question|ask_user|request_user_input|question)$/i;
const PATH_FIELDS = [
  'file_path',
  'filePath',
  'path',
  'target_file',
  'notebook_path',
  'absolute_path',
] as const;
const PATCHED = /^\*\*\* (?:Add|Update|Delete) File: (.{1,400})$|^\*\*\* Move to: (.{1,400})$/gm;

export interface ToolResult {
  readonly output: string;
  readonly failed: boolean | undefined;
}

export function toolSteps(name: string, input: unknown, result: ToolResult | undefined): readonly Step[] {
  const args = parsed(input);
  const short = name.split(/[./:]|__/).at(-1) ?? name;
  if (SHELLS.test(name) || SHELLS.test(short)) {
    const command = commandOf(args);
    // A patch that is handed to a shell is an edit.
    const patched = patchedPaths(command);
    if (patched.length > 0) return edited(patched, result);
    if (command === '') return [];
    const output = result?.output ?? '';
    return [{ kind: 'ran', command, output, failed: result?.failed ?? failedBy(output) }];
  }
  if (EDITORS.test(short)) return edited(editedPaths(args), result);
  if (ASKERS.test(short)) return answered(result);
  // A plan that a person has let pass.
  if (/^exitplanmode$/i.test(short) && result !== undefined && result.failed !== true)
    return [{ kind: 'said', by: 'agent', text: textAt(args, 'plan') }];
  return PLANNERS.test(short) ? planned(args) : [];
}

const ANSWER = /"([^"\n]{1,400})"="([^"\n]{1,400})"/g;

function answered(result: ToolResult | undefined): readonly Step[] {
  return [...(result?.output ?? '').matchAll(ANSWER)].map(([, question = '', answer = '']) => ({
    kind: 'answered',
    question,
    answer,
  }));
}

function edited(paths: readonly string[], result: ToolResult | undefined): readonly Step[] {
  return paths.length === 0 || result?.failed === true ? [] : [{ kind: 'edited', paths }];
}

/** Arguments come as an object, as JSON, or as the text of a patch. */
function parsed(input: unknown): Fields {
  if (isFields(input)) return input;
  if (typeof input !== 'string') return {};
  try {
    const value: unknown = JSON.parse(input);
    return isFields(value) ? value : { input };
  } catch {
    return { input };
  }
}

const SHELL_CALL = /^(?:\/\S*\/)?(?:ba|z|da)?sh$/;

function commandOf(args: Fields): string {
  const given = args['command'] ?? args['cmd'] ?? args['input'] ?? '';
  if (typeof given === 'string') return given.trim();
  if (!Array.isArray(given)) return textAt(args, 'action', 'command');
  const words = given.filter((word): word is string => typeof word === 'string');
  const [program = '', flag = '', script] = words;
  return (
    SHELL_CALL.test(program) && /^-\w*c$/.test(flag) && script !== undefined ? script : words.join(' ')
  ).trim();
}

function editedPaths(args: Fields): readonly string[] {
  const named = PATH_FIELDS.map((field) => textAt(args, field)).filter((path) => path !== '');
  return [
    ...new Set([
      ...named,
      ...patchedPaths(['input', 'patch', 'patchText'].map((field) => textAt(args, field)).join('\n')),
    ]),
  ];
}

function patchedPaths(text: string): readonly string[] {
  return [...text.matchAll(PATCHED)].map(([, changed, moved]) => (changed ?? moved ?? '').trim());
}

const DONE = /^(?:completed|done|cancelled)$/;

function planned(args: Fields): readonly Step[] {
  const tasks = [...listAt(args, 'todos'), ...listAt(args, 'plan'), ...listAt(args, 'items')].map((task) => ({
    text:
      textAt(task, 'content') || textAt(task, 'step') || textAt(task, 'description') || textAt(task, 'text'),
    isDone: DONE.test(textAt(task, 'status')),
  }));
  if (tasks.length === 0) return [];
  const texts = (isDone: boolean): readonly string[] =>
    tasks.filter((task) => task.isDone === isDone && task.text !== '').map(({ text }) => text);
  return [{ kind: 'planned', open: texts(false), done: texts(true) }];
}

const EXIT_CODE =
  /(?:^|\n)\s*(?:"?exit[_ ]code"?|Exit code|Process exited with code|Command failed with exit code|exit status)\s*:?\s*(-?\d{1,5})\b/i;

/** What an output says of how its command ended; undefined if it does not. */
export function failedBy(output: string): boolean | undefined {
  const code = EXIT_CODE.exec(output.slice(0, 4_000))?.[1] ?? EXIT_CODE.exec(output.slice(-1_000))?.[1];
  return code === undefined ? undefined : code !== '0';
}

export function resultText(value: unknown): string {
  const text = plainText(value);
  return text === '' && value !== undefined && typeof value === 'object'
    ? plainText(listAt(value, 'content'))
    : text;
}
