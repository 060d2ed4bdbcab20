/** A text with fields above it, as Markdown tools read it: lines of `name: value` between two lines of dashes. Pure. */
export interface FrontMatter {
  /** As they stand in the file. */
  readonly fields: ReadonlyMap<string, string>;
  /** The lines between the dashes, as they stand. */
  readonly raw: string;
  readonly body: string;
}

const SHAPE = /^---\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m;
const FIELD = /^([A-Za-z][\w-]*):(?:[ \t]+(.*))?$/;

/** Undefined if the text does not begin with fields. */
export function parseFrontMatter(text: string): FrontMatter | undefined {
  const found = text.startsWith('---') ? SHAPE.exec(text) : null;
  if (found === null || found.index !== 0) return undefined;
  const raw = found[1] ?? '';
  const fields = new Map<string, string>();
  for (const line of raw.split(/\r?\n/)) {
    const field = FIELD.exec(line);
    if (field?.[1] !== undefined) fields.set(field[1], field[2] ?? '');
  }
  return { fields, raw, body: text.slice(found[0].length) };
}

/** Every value is JSON, which is YAML too, so nothing has to be guessed when it is read. */
export function renderFrontMatter(fields: readonly (readonly [string, unknown])[], body: string): string {
  const lines = fields.map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`);
  return `---\n${lines.join('')}---\n${body}`;
}

/** A value as JSON or, failing that, as the plain text people write. */
export function parseScalar(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.trim().replace(/^'(.*)'$/s, '$1');
  }
}
