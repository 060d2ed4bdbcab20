/** How much each feature counts. Made by `npm run train:ranking`. */
import type { Weights } from './features.ts';

export const WEIGHTS: Weights = {
  bsum: 2.1,
  bf: 0.82,
  bdef: 0.79,
  d1: 2.61,
  df: 3.39,
  d2n: 0.81,
  dpn: 0.89,
  msPath: 3.5,
  stemFull: 1.18,
  defBest: 1.48,
  symDef: 2.9,
  symPre: 1.0,
  dirco: 1.6,
  gin: 0.48,
  depthC: -0.86,
  bad: -5.33,
  compat: -4.29,
  hdr: -1.94,
  tiny: -1.0,
};
