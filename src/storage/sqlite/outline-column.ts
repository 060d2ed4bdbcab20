/** Definitions as they are kept: one JSON text per file, because they are only ever read together. */
import { AppError, DEFINITION_KINDS, VISIBILITIES, type Definition } from '../../core/index.ts';

export function parseOutline(json: string): Definition[] {
  const parsed: unknown = JSON.parse(json);
  if (!Array.isArray(parsed)) throw damaged();
  return parsed.map(toDefinition);
}

function toDefinition(value: unknown): Definition {
  if (typeof value !== 'object' || value === null) throw damaged();
  const { name, kind, container, signature, doc, startLine, endLine, visibility } = {
    name: undefined,
    kind: undefined,
    container: undefined,
    signature: undefined,
    doc: undefined,
    startLine: undefined,
    endLine: undefined,
    visibility: undefined,
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
  const visible = VISIBILITIES.find((candidate) => candidate === visibility);
  return {
    name,
    kind: known,
    container: typeof container === 'string' ? container : undefined,
    signature,
    doc: typeof doc === 'string' ? doc : undefined,
    startLine,
    endLine,
    ...(visible === undefined ? {} : { visibility: visible }),
  };
}

function damaged(): AppError {
  return new AppError('storage_damaged', 'The index holds a definition that cannot be read.', {
    hint: 'Run `waymark clear`, then `waymark index`: an index is made again from the files.',
  });
}
