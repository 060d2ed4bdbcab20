/** Which encoder an index is for, and how far it is with the files. */
import type { EncoderChoice } from '../embedding/index.ts';
import type { IndexStore } from '../storage/index.ts';

export interface EncoderState {
  readonly kind: EncoderChoice['kind'];
  readonly model: string | undefined;
  readonly url: string | undefined;
  /** Files that have something to be embedded, and those whose vectors are there. */
  readonly files: number;
  readonly embedded: number;
  /** Why the service does not get on, as far as this process knows. */
  readonly problem: string | undefined;
}

export async function readEncoderState(
  store: IndexStore,
  choice: EncoderChoice,
  problem: string | undefined,
): Promise<EncoderState> {
  const remote = choice.kind === 'http' ? choice.remote : undefined;
  const model = choice.kind === 'none' ? undefined : choice.model;
  const { files, embedded } =
    remote === undefined ? await store.vectorState(model ?? '') : await store.embeddingState(remote.id);
  return { kind: choice.kind, model, url: remote?.url, files, embedded, problem };
}

/** Never 100 before the last one. */
export function percentOf({ files, embedded }: Pick<EncoderState, 'files' | 'embedded'>): number {
  return files === 0 ? 100 : Math.floor((embedded / files) * 100);
}
