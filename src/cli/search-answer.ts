/** The answer to a search: hits on standard output, everything else a person should know on standard error. */
import type { Freshness } from '../indexing/index.ts';
import type { Hit, SearchAnswer } from '../search/index.ts';
import { countOf, escapeControl } from '../text/index.ts';
import type { Output } from './output.ts';
import { placeOf, terminalLook } from './terminal-look.ts';

export interface HitView {
  readonly kind: 'lines' | 'places' | 'matches';
  /** On a terminal, of each hit. */
  readonly mostLines: number | undefined;
  readonly asLink: boolean;
  readonly cwd: string | undefined;
  projectOf(root: string): string | undefined;
}

export async function renderAnswer(
  { hits, words }: SearchAnswer,
  { paint, window }: Output,
  { kind, mostLines, asLink, projectOf, cwd }: HitView,
): Promise<string> {
  const { renderHit, renderLocation, renderMatch } = await import('../search/index.ts');
  const look = terminalLook({ paint, words, asLink, cwd });
  if (window === undefined || kind === 'places') {
    const render = { lines: renderHit, places: renderLocation, matches: renderMatch }[kind];
    const rendered = hits.map((hit) => render(hit, projectOf(hit.root), look));
    return rendered.join(kind === 'lines' ? '\n\n' : '\n');
  }
  const { renderHits, renderMatches } = await import('./look/hit-screen.ts');
  const screen = {
    words,
    columns: window.columns,
    mostLines,
    paint,
    placeOf: (hit: Hit) => placeOf(hit, projectOf(hit.root), look),
  };
  return kind === 'matches' ? renderMatches(hits, screen) : renderHits(hits, screen);
}

export interface SaidOfProjects {
  /** What is not as usual with them. */
  readonly lines: readonly string[];
  /** How fresh the index is; of several, the first that is not. */
  readonly value: object | undefined;
  projectOf(root: string): string | undefined;
}

/** Nearly always it is one project, and fresh, and then there is nothing to say: the tools, which have the words, come with a schema library. */
export async function sayProjects(
  roots: readonly string[],
  freshness: readonly Freshness[],
  { encoderNotes }: SearchAnswer,
): Promise<SaidOfProjects> {
  const stale = freshness.find(({ state }) => state !== 'fresh');
  if (roots.length < 2 && stale === undefined) {
    const lines = encoderNotes.map(({ text }) => text);
    return { lines, value: freshness[0], projectOf: () => undefined };
  }
  const { nameProjects, renderEncoderNotes, renderFreshness, toFreshnessValue } =
    await import('../tools/index.ts');
  const projectOf = nameProjects(roots);
  const lines = roots.flatMap((root, at) => {
    const one = freshness[at];
    if (one === undefined || one.state === 'fresh') return [];
    const project = projectOf(root);
    return [`${project === undefined ? '' : `${escapeControl(project)}: `}${renderFreshness(one)}`];
  });
  return {
    lines: [...lines, ...renderEncoderNotes(encoderNotes, roots)],
    value: stale === undefined ? freshness[0] : toFreshnessValue(stale),
    projectOf,
  };
}

/** What a pipe must not see, but a person should. */
export async function talk(
  answer: SearchAnswer,
  output: Output,
  { lines, query, view }: Pick<SaidOfProjects, 'lines'> & { readonly query: string; readonly view: HitView },
): Promise<void> {
  const { noteGuess, noteNoMatch, noteNoneLeft, noteNothingNear, renderLocation } =
    await import('../search/index.ts');
  for (const line of [...lines, ...answer.notes]) output.talk(line);
  if (answer.nearest.length > 0) output.talk(noteNothingNear(answer));
  const look = terminalLook({ paint: output.talkPaint, words: [], asLink: false, cwd: view.cwd });
  for (const hit of answer.nearest) output.talk(renderLocation(hit, view.projectOf(hit.root), look));
  if (answer.isGuess) output.talk(noteGuess(answer));
  const none = noteNoneLeft(answer) ?? noteNoMatch(answer, query);
  if (none !== undefined) output.talk(none);
  if (answer.isPartial) output.talk('not every file was looked at: narrow the search with path: or lang:');
}

/** Below the hits, on a terminal. */
export function talkOfMore(
  { matched, isOfPlaces, next }: SearchAnswer,
  output: Output,
  isAll: boolean,
): void {
  if (next === undefined || !output.isTerminal) return;
  const found = countOf(matched, isOfPlaces ? 'place' : 'file');
  const all = isAll ? '' : '--all shows all, ';
  output.talk('');
  output.talk(output.talkPaint.dim(`${found} ranked; ${all}--cursor ${next} goes on`));
}
