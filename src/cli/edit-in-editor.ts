/** The text of an entry, changed in the user's editor. Nothing that was typed there is ever lost. */
import { dirname } from 'node:path';
import { readEnvironment } from '../config/index.ts';
import { AppError } from '../core/index.ts';
import { openTextDraft } from '../platform/index.ts';

const UNCHANGED = 'Nothing was changed. VISUAL and EDITOR say which editor is opened.';

interface EditorOptions {
  /** How a command line looks that does the same without an editor. */
  readonly instead: string;
  readonly stop: AbortSignal;
  /** Keeps the changed text; the draft stays on disk if it fails. */
  readonly keep: (text: string) => Promise<void>;
}

/** A text that comes back as it was is not kept again. */
export async function editInEditor(text: string, { instead, stop, keep }: EditorOptions): Promise<void> {
  const { VISUAL, EDITOR } = readEnvironment();
  const command = [VISUAL, EDITOR].find((given) => given !== undefined && given.trim() !== '');
  // An editor needs a screen and a keyboard.
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new AppError('bad_argument', 'There is no terminal to open an editor in.', { hint: instead });
  if (command === undefined)
    throw new AppError('bad_argument', 'No editor is set.', {
      hint: `Set EDITOR, for example EDITOR=nano; or ${instead}`,
    });
  const draft = openTextDraft(text, '.md');
  const failed = (message: string, cause?: unknown): AppError =>
    new AppError('file_unavailable', message, {
      hint: `The entry is as it was, and your text is in ${draft.absPath}`,
      cause,
    });
  const problem = (await draft.edit(command)) ?? (stop.aborted ? 'Waymark was told to stop' : undefined);
  let changed: string;
  try {
    changed = draft.read();
  } catch (cause) {
    throw new AppError('file_unavailable', 'The editor left no text behind.', {
      hint: `The entry is as it was. What else the editor left is in ${dirname(draft.absPath)}`,
      cause,
    });
  }
  if (changed === text) {
    draft.discard();
    if (problem === undefined) return;
    throw new AppError('file_unavailable', `The editor did not finish: ${problem}.`, { hint: UNCHANGED });
  }
  if (problem !== undefined) throw failed(`The editor did not finish: ${problem}.`);
  try {
    await keep(changed);
  } catch (cause) {
    throw failed(cause instanceof AppError ? cause.message : 'The text could not be saved.', cause);
  }
  draft.discard();
}
