/** How much each feature counts. Made by `npm run train:ranking`. */
import type { Weights } from './features.ts';

export const WEIGHTS: Weights = {
  passageBm25: 2.76,
  fileBm25: 0.41,
  definitionBm25: 0.91,
  passageNearness: 2.54,
  fileNearness: 3.57,
  secondPassageNearness: 0.4,
  pathNearness: 0.86,
  pathCoverage: 3.16,
  wholeFileName: 1.19,
  definitionCoverage: 1.51,
  definesName: 2.47,
  definesWord: 0.91,
  folderSupport: 2.32,
  referenceSupport: 0.45,
  relativeDepth: -0.85,
  testOrVendored: -5.81,
  compatibility: -4.97,
  header: -2.38,
  tiny: -0.73,
  titleFileBm25: 0,
  titlePassageBm25: 0,
  messageBm25: 0,
  mentionedPath: 0,
  mentionedFrame: 0,
  mentionedModule: 0,
  definesMentioned: 0,
  notCode: 0,
};

/** The same for a pasted text. */
export const REPORT_WEIGHTS: Weights = {
  ...WEIGHTS,
  titleFileBm25: 2,
  titlePassageBm25: 2,
  messageBm25: 1,
  mentionedPath: 3,
  mentionedFrame: 2,
  mentionedModule: 1,
  definesMentioned: 1,
  notCode: -3,
};
