/** Who uses what: names are resolved from the facts of all files, when asked. */
export { type Unseen } from './parsed-as-needed.ts';
export { type StructureParts } from './ports.ts';
export {
  IMPACT,
  renderFiles,
  renderOutline,
  renderReferences,
  renderUnseen,
  type ReferencesLook,
  type RenderedReferences,
} from './render-structure.ts';
export {
  createStructure,
  type CodeMapAnswer,
  type CodeMapRequest,
  type DependenciesRequest,
  type FilesAnswer,
  type ImpactRequest,
  type OutlineAnswer,
  type OutlineRequest,
  type ReferencesAnswer,
  type ReferencesRequest,
  type ShownSymbol,
  type Structure,
} from './structure.ts';
