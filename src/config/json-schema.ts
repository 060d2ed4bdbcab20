/** The settings as JSON schemas, so that editors can complete and check the config files. */
import { SETTINGS } from './definitions.ts';
import type { Setting } from './setting.ts';

export type JsonSchema = { readonly [name: string]: JsonSchemaValue };
export type JsonSchemaValue = string | number | boolean | JsonSchema | readonly JsonSchemaValue[];

/** Draft 7, because that is what editors support best. */
const DRAFT = 'http://json-schema.org/draft-07/schema#';

/** Relative, and no `..` between separators: what parseValue demands of a repository, as a pattern. */
const CONFINED = '^(?!!?[/\\\\~])(?!!?[A-Za-z]:)(?!(.*[/\\\\{},()|]|!)?\\.\\.([/\\\\{},()|]|$)).+$';

/** The schema of the user file, or of a project's file, which may set less and whose paths must stay inside. */
export function toJsonSchema(file: 'user' | 'project', settings: readonly Setting[] = SETTINGS): JsonSchema {
  const allowed = settings.filter(({ scope }) => file === 'user' || scope === 'project');
  const entries = allowed.map((setting) => [setting.key, describe(setting, file)] as const);
  return {
    $schema: DRAFT,
    title: file === 'user' ? 'Waymark user settings' : 'Waymark project settings',
    type: 'object',
    additionalProperties: false,
    properties: { $schema: { type: 'string' }, ...Object.fromEntries(entries) },
  };
}

function describe(setting: Setting, file: 'user' | 'project'): JsonSchema {
  const { description } = setting;
  switch (setting.kind) {
    case 'boolean':
      return { description, type: 'boolean', default: setting.default };
    case 'integer':
      return {
        description,
        type: 'integer',
        minimum: setting.min,
        maximum: setting.max,
        default: setting.default,
      };
    case 'choice':
      return { description, enum: setting.values, default: setting.default };
    case 'string':
      return { description, ...TEXT, ...(setting.default === undefined ? {} : { default: setting.default }) };
    case 'path':
      return { description, ...TEXT };
    case 'list': {
      const confined = file === 'project' && setting.of !== 'string';
      const items = confined ? { ...TEXT, pattern: CONFINED } : TEXT;
      return { description, type: 'array', items, default: setting.default };
    }
  }
}

const TEXT = { type: 'string', minLength: 1 } as const;

export function renderJsonSchema(schema: JsonSchema): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}
