/** Which project is this? Sources say what they know, the chain decides, and the losers are kept. */
export { decideProject } from './chain.ts';
export {
  createDetector,
  type DetectionRequest,
  type Detector,
  type DetectorOptions,
  type Environment,
} from './detector.ts';
export type { Transport } from './sources/cwd.ts';
