/** What was learned: saves it, finds it again with reasons, says whose words it is, and lets it be changed or forgotten. */
export { gate } from './admit-entry.ts';
export { RESUME_LEVELS, textAtLevel, type ResumeLevel } from './checkpoint-levels.ts';
export { createKeyMaker, type Encoder, type NormalisedError, normaliseError } from './entry-keys.ts';
export { fence, fenceParts, type FencedPart } from './fence.ts';
export { cutToTokens, estimateTokens, flagText, type TextFlag } from './entry-text.ts';
export {
  backUp,
  changeEntry,
  deleteEntries,
  editEntry,
  linkTo,
  mergeFrom,
  moveFrom,
  restore,
  undoChange,
  unlink,
  type EntryChange,
  type EntryEdit,
  type Restored,
  type Undone,
  type Shared,
} from './manage.ts';
export { FACT_SCOPES, saveFact, type FactDraft, type FactScope, type SavedFact } from './facts.ts';
export { type Capture, type Captured, type CapturedFix, saveCapture } from './captured.ts';
export { isDraft, markShown } from './draft-fix.ts';
export { briefOf, readBrief, type SessionBrief } from './session-brief.ts';
export { decideFate, forgetOrigin, isOfOrigin, taintedBy, type Forgotten } from './forget-origin.ts';
export { type Author, type EntryDraft, isPartial, type LinkFolder, type Surroundings } from './make-entry.ts';
export {
  createMemory,
  fileStateOf,
  isLinkedToFiles,
  type FileState,
  type Memory,
  type Resumed,
  type Saved,
} from './memory.ts';
export { rehearse } from './rehearse.ts';
export type { RecallAnswer, Recalled, RecallQuery, RecallScope } from './recall-spaces.ts';
export { stalenessOf, type Stale } from './staleness.ts';
export { rankEntries, WEIGHTS, type Candidate, type Question, type Ranked } from './rank.ts';
export {
  exportMemory,
  exportSkills,
  importMemory,
  type Folder,
  type ImportReport,
} from './transfer/transfer.ts';
export { linkFiles, syncFiles, syncIfLinked, type LinkReport } from './transfer/link-files.ts';
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
