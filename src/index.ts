/** The public library: everything another program may build on. */
export { createApp, type App, type AppOptions } from './app.ts';
export { resolveConfig, type Config } from './config/index.ts';
export {
  AppError,
  type Detection,
  type ErrorCode,
  type Project,
  type ProjectSource,
  type SourceReport,
} from './core/index.ts';
export { detectProject, type DetectProjectInput, type Detector } from './project/index.ts';
export type { Analysis, Hit, SearchAnswer, SearchRequest } from './search/index.ts';
