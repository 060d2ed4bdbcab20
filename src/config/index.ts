/** Configuration: flags, environment and files become one frozen Config in which every value knows its origin. */
export { SETTINGS, type Config, type SettingKey } from './definitions.ts';
export { findHome, readEnvironment, wantsColor, type Environment } from './environment.ts';
export { flagSpecs, type FlagSpec } from './flag-specs.ts';
export { parseJson } from './parse-json.ts';
export type { FlagValue, FlagValues } from './read-given.ts';
export { renderJsonSchema, renderReference, toJsonSchema, type JsonSchema } from './reference.ts';
export { renderConfig, renderConfigValue } from './render-config.ts';
export { readProjectConfig, resolveConfig, type ConfigInput, type ResolvedConfig } from './resolve-config.ts';
export type { FlagPlace, Origin } from './setting.ts';
export { tenantConfig } from './tenant-config.ts';
