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
};
