/** What a search gives back. */
import type { Definition, LineRange } from '../../core/index.ts';
import { DEFINITION_MEANINGS, type DefinitionFeature } from '../rank/definition-features.ts';
import { FEATURE_MEANINGS, type Feature } from '../rank/features.ts';

export const DETAILS = ['locations', 'snippets', 'full'] as const;
export type Detail = (typeof DETAILS)[number];

/** What puts a file before all others, whatever its features. */
export const FOREMOST = {
  exact: { points: 20, meaning: 'holds the exact text' },
  rare: { points: 20, meaning: 'one of the few files that hold the word' },
} as const;
export type Foremost = keyof typeof FOREMOST;

/** In plain words, for people who ask why. */
export const MEANINGS: Readonly<Record<Reason['feature'], string>> = {
  ...FEATURE_MEANINGS,
  ...DEFINITION_MEANINGS,
  exact: FOREMOST.exact.meaning,
  rare: FOREMOST.rare.meaning,
};

export interface Reason {
  readonly feature: Feature | DefinitionFeature | Foremost;
  /** What it added to the score. */
  readonly points: number;
}

export interface Hit extends LineRange {
  /** The root of the project it is in. */
  readonly root: string;
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly language: string;
  readonly definition: Pick<Definition, 'name' | 'kind' | 'container' | 'signature'> | undefined;
  /** Its file's place in the whole ranking, from 1. */
  readonly rank: number;
  /** The cursor that goes on behind it. */
  readonly after: string;
  /** Whole lines as they are on disk now, secrets taken out, from `startLine`: all of the range, or one of it where only places are wanted. */
  readonly lines: readonly string[];
  /** Its text is not here: there are no lines to show. */
  readonly isHidden?: true;
  /** Where the definition ends, if that is behind the last line that is shown. */
  readonly continuesTo: number | undefined;
  /** Lines of other places in the file that match nearly as well; of exact text, the matching lines that are not shown. */
  readonly moreLines: readonly number[];
  readonly score: number;
  /** What spoke most for it and against it, strongest first. */
  readonly reasons: readonly Reason[];
}

export interface SearchRequest {
  /** Where to search; several projects are ranked together. */
  readonly roots: readonly string[];
  readonly query: string;
  readonly languages?: readonly string[] | undefined;
  readonly paths?: readonly string[] | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly symbols?: readonly string[] | undefined;
  /** Only files that are not as in the last commit. */
  readonly changed?: boolean | undefined;
  /** Only files that are not as where the work left this branch. */
  readonly branch?: string | undefined;
  readonly detail?: Detail | undefined;
  /** How many lines to show of each hit at most, in place of what the detail says. */
  readonly lines?: number | undefined;
  readonly limit?: number | undefined;
  /**
   * Of exact text and expressions, every matching line is a hit of its own: as far as the limits of one call reach, or, if
   * `complete`, to the last one.
   */
  readonly everyMatch?: 'in-time' | 'complete' | undefined;
  /** What an earlier answer said to go on with. */
  readonly cursor?: string | undefined;
  /** `path:line`: find what is like the code there; the query may be empty then. */
  readonly similarTo?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The same for all requests of one client: clients take turns where work is queued. */
  readonly client?: string | undefined;
}

export interface EncoderNote {
  readonly root: string;
  /** One line. */
  readonly text: string;
}

export interface SearchAnswer {
  /** How the query was read, where that needs saying. */
  readonly notes: readonly string[];
  readonly hits: readonly Hit[];
  /** Where nothing is about the question, and so there are no hits: up to three places, without their lines. */
  readonly nearest: readonly Hit[];
  /** How far the best is above the floor, below which nothing is shown; undefined where that cannot be told. */
  readonly aboveFloor: number | undefined;
  /** Files that matched, as far as they were looked at. */
  readonly matched: number;
  /** They are places, several of a file among them, in place of files: the answer to a pasted text. */
  readonly isOfPlaces: boolean;
  /** Lines that match in these files, where every match is a hit of its own. */
  readonly matchedLines: number | undefined;
  /** To be passed as `cursor` for what follows. */
  readonly next: string | undefined;
  /** Not every file could be looked at: a limit of time or number was reached. */
  readonly isPartial: boolean;
  /** No file that the filters let through holds any of the words: what was found is only near in meaning. */
  readonly isGuess: boolean;
  /** What was looked for, in small letters; exact text as it is. */
  readonly words: readonly string[];
  /** For each project in which another model than the configured one says what is near in meaning: which one, and why. */
  readonly encoderNotes: readonly EncoderNote[];
  /** Files that were searched. */
  readonly files: number;
  /** Those of them that the filters let through. */
  readonly passed: number;
  readonly ms: number;
}
