/** Definitions as they are kept: one JSON text per file, because they are only ever read together. */
import { AppError, DEFINITION_KINDS, type Definition } from '../../core/index.ts';

export function parseOutline(json: string): Definition[] {
  const parsed: unknown = JSON.parse(json);
  if (!Array.isArray(parsed)) throw damaged();
  return parsed.map(toDefinition);
}

function toDefinition(value: unknown): Definition {
  if (typeof value !== 'object' || value === null) throw damaged();
  const { name, kind, container, signature, doc, startLine, endLine } = {
    name: undefined,
    kind: undefined,
    container: undefined,
    signature: undefined,
    doc: undefined,
    startLine: undefined,
    endLine: undefined,
    ...value,
  };
  const known = DEFINITION_KINDS.find((candidate) => candidate === kind);
  if (
    typeof name !== 'string' ||
    known === undefined ||
    typeof signature !== 'string' ||
    typeof startLine !== 'number' ||
    typeof endLine !== 'number'
  ) {
    throw damaged();
  }
  return {
    name,
    kind: known,
    container: typeof container === 'string' ? container : undefined,
    signature,
    doc: typeof doc === 'string' ? doc : undefined,
    startLine,
    endLine,
  };
}

function damaged(): AppError {
  return new AppError('storage_damaged', 'The index holds a definition that cannot be read.', {
    hint: 'Run `waymark clear`, then `waymark index`: an index is made again from the files.',
  });
}
