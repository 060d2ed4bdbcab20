/**
 * Answers from the facts of files that may not all be parsed yet: those that an answer looks at are parsed first, and it is made again,
 * until it looks at no other or the time is over. Then it says what it did not see.
 */
import { AppError } from '../core/index.ts';
import type { OpenProject, OpenProjects } from './open-projects.ts';
import type { StructureParts } from './ports.ts';
import { FEW_WAITING } from './waiting-files.ts';

export interface Asked {
  readonly root: string;
  /** Whether what waits may be parsed and written: not into the index of a project that is only a guess. */
  readonly mayWrite: boolean;
  /** `endless`: all that the answer needs is parsed, however long it takes. */
  readonly wait?: 'endless' | undefined;
}

export interface AskedBy {
  readonly signal?: AbortSignal | undefined;
}

/** What an answer could not see. */
export interface Unseen {
  /** Files that wait to be parsed, could not be, or are read by name alone, by language. */
  readonly waiting: number;
  readonly failed: number;
  readonly byName: readonly { readonly language: string; readonly files: number }[];
  /** Files that were parsed for this answer: the next one need not wait for them. */
  readonly waitedFor: number;
}

export interface Answered<Answer> {
  readonly answer: Answer;
  readonly opened: OpenProject;
  /** `waiting` counts files that the answer would have looked at. */
  readonly unseen: Unseen;
}

export type AnswerFrom = <Answer>(
  asked: Asked,
  call: AskedBy,
  answer: (opened: OpenProject) => Answer | Promise<Answer>,
) => Promise<Answered<Answer>>;

const NEVER = new AbortController().signal;

export function createParsedAsNeeded(
  { clock, waitMs, parse }: Pick<StructureParts, 'clock' | 'waitMs' | 'parse'>,
  projects: OpenProjects,
): AnswerFrom {
  return async ({ root, mayWrite, wait }, { signal = NEVER }, answer) => {
    const until = wait === 'endless' ? Infinity : clock.elapsed() + waitMs;
    let waitedFor = 0;

    const parseNow = async (paths: readonly string[]): Promise<number> => {
      const maxMs = until - clock.elapsed();
      if (!mayWrite || paths.length === 0 || maxMs <= 0 || signal.aborted) return 0;
      const parsed = await parse(root, paths, { signal, maxMs });
      waitedFor += parsed;
      return parsed;
    };

    for (;;) {
      const opened = await projects.open(root);
      const { waiting } = opened.project;
      if (waiting.count <= FEW_WAITING) waiting.wantAll();
      if ((await parseNow(waiting.wanted())) > 0) continue;
      const tried = await attempt(() => answer(opened));
      const left = waiting.wanted();
      if ((await parseNow(left)) > 0) continue;
      if (tried.kind === 'answered') {
        const unseen = { waiting: left.length, failed: opened.failed, byName: opened.byName, waitedFor };
        return { answer: tried.answer, opened, unseen };
      }
      throw left.length === 0 ? tried.error : notParsedYet(left.length, tried.error);
    }
  };
}

type Tried<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly error: AppError };

async function attempt<Answer>(answer: () => Answer | Promise<Answer>): Promise<Tried<Answer>> {
  try {
    return { kind: 'answered', answer: await answer() };
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== 'not_found') throw thrown;
    return { kind: 'failed', error: thrown };
  }
}

/** What is not found in some files may be in the others. */
function notParsedYet(files: number, cause: AppError): AppError {
  const those = files === 1 ? 'a file that may hold it is' : `${files} files that may hold it are`;
  return new AppError('too_busy', `Not found so far: ${those} not parsed yet.`, {
    hint: 'Call again in a few seconds, or search for it as text.',
    cause,
  });
}
