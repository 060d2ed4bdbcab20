/** What was learned: saves it, finds it again with reasons, says whose words it is, and lets it be changed or forgotten. */
export { gate } from './admit-entry.ts';
export { RESUME_LEVELS, textAtLevel, type ResumeLevel } from './checkpoint-levels.ts';
export { createKeyMaker, type Encoder, type NormalisedError, normaliseError } from './entry-keys.ts';
export { fence, fenceParts, type FencedPart } from './fence.ts';
export { cutToTokens, estimateTokens, flagText, type TextFlag } from './entry-text.ts';
export {
  backUp,
  deleteEntries,
  editEntry,
  linkTo,
  mergeFrom,
  moveFrom,
  restore,
  undoDelete,
  unlink,
  type EntryEdit,
  type Restored,
  type Shared,
} from './manage.ts';
export { decideFate, forgetOrigin, isOfOrigin, taintedBy, type Forgotten } from './forget-origin.ts';
export { type Author, type EntryDraft, isPartial, type Surroundings } from './make-entry.ts';
export {
  createMemory,
  fileStateOf,
  type FileState,
  type Memory,
  type RecallAnswer,
  type Recalled,
  type RecallQuery,
  type RecallScope,
  type Resumed,
  type Saved,
} from './memory.ts';
export { rankEntries, WEIGHTS, type Candidate, type Question, type Ranked } from './rank.ts';
export {
  exportMemory,
  exportSkills,
  importMemory,
  type Folder,
  type ImportReport,
} from './transfer/transfer.ts';
export {
  createCollection,
  deleteCollection,
  findGuides,
  listCollections,
  listGuides,
  noCollection,
  type Collection,
  type GuideDocument,
} from './guides.ts';
