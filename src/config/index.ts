/** Configuration: flags, environment and files become one frozen Config in which every value knows its origin. */
export { OTHER_ENV, SETTINGS, type Config, type SettingKey } from './definitions.ts';
export { readEnvironment, wantsColor, type Environment } from './environment.ts';
export { flagSpecs, type FlagSpec } from './flag-specs.ts';
export { renderJsonSchema, toJsonSchema, type JsonSchema } from './json-schema.ts';
export { renderOrigin, type Origin } from './origin.ts';
export { parseJson } from './parse-json.ts';
export { findHome } from './paths.ts';
export { PROJECT_FILE, readProjectConfig } from './project-file.ts';
export type { FlagValue, FlagValues } from './read-given.ts';
export { renderReference } from './reference.ts';
export { renderConfig, renderConfigValue, type ConfigValue } from './render-config.ts';
export { resolveConfig, type ConfigInput, type ResolvedConfig } from './resolve-config.ts';
export type { FlagPlace, Setting } from './setting.ts';
export type { ConfigFileState } from './user-file.ts';
