/** How far a long run is: a bar on a terminal, a line every two seconds elsewhere, events with --json. */
import { estimate, type Clock, type Estimate } from '../core/index.ts';
import type { IndexProgress } from '../indexing/index.ts';
import type { Output } from './output.ts';

interface ProgressLine {
  show(progress: IndexProgress): void;
  /** Leaves the terminal clean for what comes next. */
  end(): void;
}

const REDRAW_MS = 80;
const SAY_EVERY_MS = 2_000;
const CELLS = 20;

export function createProgressLine(output: Output, clock: Clock): ProgressLine {
  let startedAt: number | undefined;
  // A pipe gets no line for a short run, because it could not be erased.
  const isPlain = !output.json && !output.isTerminal;
  let shownAt = isPlain ? clock.elapsed() : Number.NEGATIVE_INFINITY;
  let isDrawn = false;
  const pause = output.json ? 0 : isPlain ? SAY_EVERY_MS : REDRAW_MS;
  return {
    show(progress) {
      const now = clock.elapsed();
      startedAt ??= now;
      // Redraw at most every `pause` ms.
      if (progress.total === 0 || now - shownAt < pause) return;
      shownAt = now;
      const guess = estimate(progress, now - startedAt);
      if (output.json) output.event('progress', { ...progress, ...guess });
      else if (output.isTerminal) output.redraw(renderBar(progress, guess));
      else output.talk(renderPlain(progress, guess));
      isDrawn = output.isTerminal && !output.json;
    },
    end() {
      if (isDrawn) output.redraw('');
      isDrawn = false;
    },
  };
}

/** `Indexing ████████████░░░░░░░░  61 %  1,230/2,018 files · 6 s left` */
function renderBar(progress: IndexProgress, guess: Estimate): string {
  const full = Math.round((guess.percent / 100) * CELLS);
  const bar = '█'.repeat(full) + '░'.repeat(CELLS - full);
  return `Indexing ${bar} ${String(guess.percent).padStart(3)} %  ${renderCounts(progress, guess)}`;
}

function renderPlain(progress: IndexProgress, guess: Estimate): string {
  return `indexing: ${guess.percent} %, ${renderCounts(progress, guess)}`;
}

function renderCounts({ done, total }: IndexProgress, { etaMs }: Estimate): string {
  const left = etaMs === undefined ? '' : ` · ${Math.ceil(etaMs / 1000)} s left`;
  return `${done.toLocaleString('en')}/${total.toLocaleString('en')} files${left}`;
}
