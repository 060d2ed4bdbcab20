/** How much each feature counts. Made by `npm run train:ranking`. */
import type { Weights } from './features.ts';

export const WEIGHTS: Weights = {
  bsum: 2.76,
  bf: 0.41,
  bdef: 0.91,
  d1: 2.54,
  df: 3.57,
  d2n: 0.4,
  dpn: 0.86,
  msPath: 3.16,
  stemFull: 1.19,
  defBest: 1.51,
  symDef: 2.47,
  symPre: 0.91,
  dirco: 2.32,
  gin: 0.45,
  depthC: -0.85,
  bad: -5.81,
  compat: -4.97,
  hdr: -2.38,
  tiny: -0.73,
};
