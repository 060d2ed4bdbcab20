/** What a command is busy with, on standard error of a terminal, from the second second on. */
import type { Clock } from '../../core/index.ts';
import type { Output } from '../output.ts';

export interface WaitLine {
  /** What it does now, as in `Reading the history`. */
  say(label: string): void;
  /** While the user is asked something. */
  pause<Answer>(asked: Promise<Answer>): Promise<Answer>;
  end(): void;
}

const STEP_MS = 1_000;

export function startWaitLine(output: Pick<Output, 'live' | 'redraw' | 'drawnAt'>, clock: Clock): WaitLine {
  let label = 'Working';
  let since = clock.elapsed();
  let isPaused = false;
  let isDrawn = false;
  const draw = (): void => {
    const now = clock.elapsed();
    // A bar that moves says more.
    const isOthers = !isDrawn && now - (output.drawnAt() ?? Number.NEGATIVE_INFINITY) < STEP_MS;
    if (isPaused || isOthers) return;
    output.redraw(`${label} … ${Math.round((now - since) / 1000)} s`);
    isDrawn = true;
  };
  const clear = (): void => {
    // What was printed since took its place.
    if (isDrawn && output.drawnAt() !== undefined) output.redraw('');
    isDrawn = false;
  };
  const timer = output.live ? setInterval(draw, STEP_MS) : undefined;
  timer?.unref();
  return {
    say(next) {
      clear();
      label = next;
      since = clock.elapsed();
    },
    async pause(asked) {
      clear();
      isPaused = true;
      try {
        return await asked;
      } finally {
        isPaused = false;
        since = clock.elapsed();
      }
    },
    end() {
      clearInterval(timer);
      clear();
    },
  };
}
