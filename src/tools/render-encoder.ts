/** Which encoder a project's index is for, in one line. */
import { percentOf, type EncoderState } from '../indexing/index.ts';
import { escapeControl } from '../text/index.ts';

export function renderEncoder(state: EncoderState): string {
  const { kind, model, url, problem } = state;
  if (kind === 'none') return 'vectors: none, search goes by words alone';
  const percent = percentOf(state);
  const place = url === undefined ? 'in the package' : `at ${escapeControl(url)}`;
  const until = kind === 'http' && percent < 100 ? ', the vectors before answer for the rest' : '';
  const failed = problem === undefined ? '' : ` (${escapeControl(problem)})`;
  return `vectors: ${escapeControl(model ?? '')} ${place}, ${percent} % of the files${until}${failed}`;
}

export function toEncoderValue(state: EncoderState): {
  kind: string;
  model?: string;
  url?: string;
  percent: number;
  problem?: string;
} {
  const { kind, model, url, problem } = state;
  return {
    kind,
    ...(model === undefined ? {} : { model }),
    ...(url === undefined ? {} : { url }),
    percent: kind === 'none' ? 0 : percentOf(state),
    ...(problem === undefined ? {} : { problem }),
  };
}
