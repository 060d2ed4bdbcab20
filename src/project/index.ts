/** Which project is this? Sources say what they know, the chain decides, and the losers are kept. */
export { createKnownProjects, type CataloguedProjects } from './catalogued-projects.ts';
export { decideProject } from './chain.ts';
export { detectProject, type DetectProjectInput } from './detect-project.ts';
export { createDetector, type DetectionRequest, type Detector, type DetectorOptions } from './detector.ts';
export { readPlace } from './read-place.ts';
export type { KnownProjects } from './known-projects.ts';
export type { Environment } from './places.ts';
export { readChangedFiles } from './changed-files.ts';
export { CODEX_META, GOOSE_META } from './sources/client-meta.ts';
export type { Transport } from './sources/cwd.ts';
export { reportVariables, type VariableReport } from './sources/env.ts';
export { PROJECT_PARAMETER } from './sources/query-param.ts';
export type { RootsAnswer } from './sources/roots.ts';
