/** Which project is this? Sources say what they know, the chain decides, and the losers are kept. */
export { remoteIdentity } from './remote-identity.ts';
export { createKnownProjects, type CataloguedProjects, type KnownProjects } from './known-projects.ts';
export {
  decideProject,
  createDetector,
  type DetectionRequest,
  type Detector,
  type DetectorOptions,
} from './detector.ts';
export { detectProject, type DetectProjectInput } from './detect-project.ts';
export { findTree, type Environment } from './identity.ts';
export {
  CODEX_META,
  GOOSE_META,
  PROJECT_PARAMETER,
  type QueryPath,
  type RootsAnswer,
} from './call-sources.ts';
export { reportVariables, type Transport, type VariableReport } from './process-sources.ts';
