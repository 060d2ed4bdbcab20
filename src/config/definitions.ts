/**
 * The one list of settings. Flags, environment names, file keys, types, --help, the JSON schemas and the reference page
 * all derive from it: a new setting is one entry in the file of its kind and `npm run reference`.
 */
import { ENCODER_SETTINGS } from './encoder-settings.ts';
import { MACHINE_SETTINGS } from './machine-settings.ts';
import { PROJECT_SETTINGS } from './project-settings.ts';
import { SERVER_SETTINGS } from './server-settings.ts';
import type { ValueOf } from './setting.ts';

export const SETTINGS = [
  ...MACHINE_SETTINGS,
  ...SERVER_SETTINGS,
  ...ENCODER_SETTINGS,
  ...PROJECT_SETTINGS,
] as const;

type Entry = (typeof SETTINGS)[number];

export type SettingKey = Entry['key'];

/** Every setting with its final value. */
export type Config = { readonly [S in Entry as S['key']]: ValueOf<S> };

/** `WAYMARK_…` names that mean something but are no setting, so that nobody is warned about them. */
export const OTHER_ENV = [
  { name: 'WAYMARK_CONFIG', description: 'The user file to read, as `--config` says it.' },
  { name: 'WAYMARK_PROJECT', description: 'The directory of the project, if the client cannot tell it.' },
] as const;
