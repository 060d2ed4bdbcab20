/** The settings as documents: the reference page, and JSON schemas with which editors complete and check the config files. */
import { OTHER_ENV, SETTINGS } from './definitions.ts';
import { negatedFlag } from './flag-specs.ts';
import { describeExpected } from './parse-value.ts';
import { PROJECT_FILE } from './resolve-config.ts';
import type { Setting } from './setting.ts';

const INTRODUCTION = `# Settings

<!-- Generated from the lists in src/config by \`npm run reference\`. Edit those, not this. -->

A setting can be given in four places. The first that has a value wins:

1. a flag, such as \`--port 8080\`;
2. an environment variable, such as \`WAYMARK_PORT=8080\`;
3. the project file \`${PROJECT_FILE}\` at the project's root, for the settings that allow it;
4. the user file \`$XDG_CONFIG_HOME/waymark/config.json\`, by default \`~/.config/waymark/config.json\`.

Otherwise the default holds. \`waymark config show\` prints every value and where it came from. A list from a stronger
place replaces a list from a weaker one; lists are not joined.

The directories follow the XDG rule on every system, macOS and Windows included. A relative \`XDG_…_HOME\` is ignored.

## Files

Both files are JSON objects; comments and trailing commas are allowed. A mistake in a file is an error that names the
line. \`--config FILE\` or \`WAYMARK_CONFIG\` names another user file, which must exist. Relative paths in a file start at
the file's directory, and \`~/\` is the home directory.

A repository is not trusted: its \`${PROJECT_FILE}\` may set only what is marked "project file" below, its paths and globs
must stay inside the project, and it must be a regular file of at most 64 KB.

Editors check the files with [config.schema.json](config.schema.json) and
[project-config.schema.json](project-config.schema.json); a \`"$schema"\` key is allowed for that.

## Variables

An empty variable counts as unset, and so does one with an unexpanded \`\${…}\` in it. Switches take \`true\`, \`1\`, \`yes\`,
\`on\`, \`false\`, \`0\`, \`no\` and \`off\`. Lists are separated by commas, lists of paths by \`:\` (\`;\` on Windows). Relative
paths start at the working directory. A \`WAYMARK_…\` variable that is not listed here causes a warning.
`;

export function renderReference(): string {
  const groups = [...new Set(SETTINGS.map(({ group }) => group))];
  const sections = groups.map((group) => {
    const parts = SETTINGS.filter((setting) => setting.group === group).map(renderSetting);
    return `## ${group}\n\n${parts.join('\n')}`;
  });
  const others = OTHER_ENV.map(({ name, description }) => `- \`${name}\`: ${description}\n`).join('');
  return [INTRODUCTION, ...sections, `## Other variables\n\n${others}`].join('\n');
}

function renderSetting(setting: Setting): string {
  const places = setting.places.includes('global')
    ? 'every command'
    : setting.places.map((place) => `\`${place}\``).join(', ');
  const lines = [
    `Value: ${describeExpected(setting)}`,
    `Default: ${describeDefault(setting)}`,
    setting.places.length === 0 ? 'Flag: none' : `Flag: ${describeFlag(setting)} (${places})`,
    `Variable: \`${setting.env}\``,
    `Files: ${setting.scope === 'project' ? 'user file, project file' : 'user file'}`,
    ...(setting.secret === true ? ['Secret: never printed'] : []),
  ];
  return `### ${setting.key}\n\n${setting.description}\n\n${lines.map((line) => `- ${line}\n`).join('')}`;
}

function describeFlag(setting: Setting): string {
  if (setting.kind === 'boolean') return `\`${setting.flag}\`, \`${negatedFlag(setting.flag)}\``;
  return `\`${setting.flag} <${setting.valueName}>\`${setting.kind === 'list' ? ', repeatable' : ''}`;
}

function describeDefault(setting: Setting): string {
  if (setting.default === undefined) return 'none';
  if (setting.kind === 'list')
    return setting.default.length === 0 ? 'an empty list' : `\`${setting.default.join(', ')}\``;
  if (setting.kind !== 'path') return `\`${String(setting.default)}\``;
  return `\`$${setting.default.variable}/waymark\`, by default \`~/${setting.default.fallback}/waymark\``;
}

export type JsonSchema = { readonly [name: string]: JsonSchemaValue };
type JsonSchemaValue = string | number | boolean | JsonSchema | readonly JsonSchemaValue[];

/** Draft 7, because that is what editors support best. */
const DRAFT = 'http://json-schema.org/draft-07/schema#';

/** Relative, and no `..` between separators: what parseValue demands of a repository, as a pattern. */
const CONFINED = '^(?!!?[/\\\\~])(?!!?[A-Za-z]:)(?!(.*[/\\\\{},()|]|!)?\\.\\.([/\\\\{},()|]|$)).+$';

/** The schema of the user file, or of a project's file, which may set less and whose paths must stay inside. */
export function toJsonSchema(file: 'user' | 'project'): JsonSchema {
  const allowed = SETTINGS.filter(({ scope }) => file === 'user' || scope === 'project');
  const entries = allowed.map((setting) => [setting.key, schemaOf(setting, file)] as const);
  return {
    $schema: DRAFT,
    title: file === 'user' ? 'Waymark user settings' : 'Waymark project settings',
    type: 'object',
    additionalProperties: false,
    properties: { $schema: { type: 'string' }, ...Object.fromEntries(entries) },
  };
}

function schemaOf(setting: Setting, file: 'user' | 'project'): JsonSchema {
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
