/** A definition while its end is not known yet, and what becomes of all of them at the end of the file. */
import type { Definition, DefinitionKind } from '../../core/index.ts';
import { docSentence, MOST_SIGNATURE_CHARS, signatureAt } from '../../text/index.ts';
import { SCOPE } from './head.ts';

export interface Draft {
  name: string;
  kind: DefinitionKind;
  /** What it stands in, or the name its own head gives. */
  container: Draft | string | undefined;
  /** First line, decorators included. */
  startLine: number;
  /** The line of the declaration itself. */
  headLine: number;
  endLine: number;
  hasBody: boolean;
}

// A generated table of 100,000 constants is one fact, not 100,000.
const MOST_DEFINITIONS = 5_000;

const BODY_SCOPES: Readonly<Partial<Record<DefinitionKind, number>>> = {
  function: SCOPE.body,
  method: SCOPE.body,
  macro: SCOPE.body,
  module: SCOPE.top,
  constant: SCOPE.object,
  variable: SCOPE.object,
  section: SCOPE.block,
};

/** What the lines in its body are. */
export function scopeInside(kind: DefinitionKind): number {
  return BODY_SCOPES[kind] ?? SCOPE.member;
}

export type DocOf = (lines: readonly string[], draft: Draft) => string | undefined;

export function finishDrafts(
  drafts: readonly Draft[],
  lines: readonly string[],
  docOf: DocOf = (all, draft) => docSentence(all, draft.startLine),
): Definition[] {
  const defined = new Set(drafts.filter((draft) => draft.hasBody).map(keyOf));
  const kept = drafts.filter((draft) => draft.name !== '' && (draft.hasBody || !isEcho(draft, defined)));
  kept.sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
  return kept.slice(0, MOST_DEFINITIONS).map((draft) => ({
    name: draft.name.slice(0, MOST_SIGNATURE_CHARS),
    kind: draft.kind,
    container: containerName(draft),
    startLine: draft.startLine,
    endLine: Math.max(draft.endLine, draft.headLine),
    signature: signatureAt(lines, draft.headLine),
    doc: docOf(lines, draft),
  }));
}

/** A prototype or forward declaration of what is defined in the same file. */
function isEcho(draft: Draft, defined: ReadonlySet<string>): boolean {
  return draft.kind !== 'constant' && draft.kind !== 'variable' && defined.has(keyOf(draft));
}

function keyOf(draft: Draft): string {
  return `${containerName(draft) ?? ''} ${draft.name}`;
}

function containerName(draft: Draft): string | undefined {
  const { container } = draft;
  const name = typeof container === 'object' ? container.name : container;
  return name === '' ? undefined : name;
}
