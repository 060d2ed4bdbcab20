/** Every place where a string can enter a store, a log or an answer, and how one gets there. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runIn, type SessionPlace, type StdioSession } from './stdio-session.ts';

export interface SecretPlace {
  readonly name: string;
  /** Longer texts are refused there, and are not planted. In bytes. */
  readonly most: number;
  /** Texts of one line without blanks or slashes only: names of files and branches. */
  readonly isName?: boolean;
  plant(text: string, at: number, planting: Planting): Promise<void> | void;
}

export interface Planting extends SessionPlace {
  readonly session: StdioSession;
}

const KB = 1024;

function argument(tool: string, most: number, make: (text: string, at: number) => Record<string, unknown>) {
  return {
    most,
    plant: async (text: string, at: number, { session }: Planting): Promise<void> => {
      await session.call(tool, make(text, at));
    },
  };
}

const save = (most: number, make: (text: string) => Record<string, unknown>) =>
  argument('checkpoint_save', most, (text, at) => ({ content: `note ${at}`, ...make(text) }));
const fix = (most: number, make: (text: string) => Record<string, unknown>) =>
  argument('remediation_save', most, (text, at) => ({
    error: `E${at} failed`,
    solution: `Do ${at}.`,
    ...make(text),
  }));

function write(absPath: string, text: string): void {
  mkdirSync(dirname(absPath), { recursive: true });
  writeFileSync(absPath, text);
}

export const SECRET_PLACES: readonly SecretPlace[] = [
  { name: 'checkpoint content', ...save(64 * KB, (content) => ({ content })) },
  { name: 'checkpoint name', ...save(200, (name) => ({ name })) },
  { name: 'checkpoint summary', ...save(4 * KB, (summary) => ({ summary })) },
  { name: 'checkpoint tag', ...save(64, (tag) => ({ tags: [tag] })) },
  { name: 'checkpoint file', ...save(4 * KB, (path) => ({ files: [path] })) },
  { name: 'metadata value', ...save(8 * KB, (note) => ({ metadata: { note } })) },
  { name: 'metadata list', ...save(8 * KB, (note) => ({ metadata: { notes: [[note]] } })) },
  {
    name: 'metadata below a telling name',
    ...save(8 * KB, (value) => ({ metadata: { password: [{ value }] } })),
  },
  { name: 'metadata key', ...save(8 * KB, (key) => ({ metadata: { [key]: 1 } })) },
  { name: 'idempotency key', ...save(200, (key) => ({ idempotency_key: key })) },
  { name: 'remediation error', ...fix(10 * KB, (error) => ({ error })) },
  { name: 'remediation solution', ...fix(10 * KB, (solution) => ({ solution })) },
  { name: 'remediation cause', ...fix(10 * KB, (cause) => ({ root_cause: cause })) },
  { name: 'remediation stack', ...fix(50 * KB, (stack) => ({ stack })) },
  { name: 'remediation context', ...fix(10 * KB, (context) => ({ context })) },
  { name: 'skill name', ...argument('skill_save', 200, (name) => ({ name, content: 'Steps.' })) },
  {
    name: 'skill content',
    ...argument('skill_save', 64 * KB, (content, at) => ({ name: `s${at}`, content })),
  },
  {
    name: 'skill description',
    ...argument('skill_save', 2 * KB, (when, at) => ({
      name: `w${at}`,
      content: 'Steps.',
      when_to_use: when,
    })),
  },
  { name: 'fact', ...argument('fact_save', 2 * KB, (fact) => ({ fact })) },
  {
    name: 'subject of a fact of the person',
    ...argument('fact_save', 200, (subject) => ({
      subject,
      fact: `All is ${subject.length}.`,
      scope: 'person',
    })),
  },
  {
    name: 'collection name',
    ...argument('collection_create', 200, (name) => ({ name, expressions: ['a/*'] })),
  },
  {
    name: 'collection description',
    ...argument('collection_create', 4 * KB, (description, at) => ({
      name: `c${at}`,
      description,
      expressions: ['a/*'],
    })),
  },
  {
    name: 'collection expression',
    ...argument('collection_create', 200, (text, at) => ({ name: `x${at}`, expressions: [text] })),
  },
  { name: 'searched text, in the log', ...argument('search_code', 1 * KB, (query) => ({ query })) },
  { name: 'recalled text, in the log', ...argument('recall', 1 * KB, (query) => ({ query })) },
  {
    name: 'id that is not there, in the log',
    ...argument('remediation_feedback', 200, (id) => ({ id, helped: true })),
  },
  {
    name: 'name of the client',
    most: 200,
    async plant(text, at, { session }) {
      await session.call('checkpoint_save', { content: `by another client ${at}` }, text);
    },
  },
  {
    name: 'name of the branch',
    most: 200,
    isName: true,
    async plant(text, at, { folder, session }) {
      write(join(folder, '.git/HEAD'), `ref: refs/heads/fix-${text}\n`);
      await session.call('checkpoint_save', { content: `on another branch ${at}` });
      write(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n');
    },
  },
  {
    name: 'imported skill',
    most: 64 * KB,
    plant: (text, at, { folder }) =>
      write(
        join(folder, `import/${at}/SKILL.md`),
        `---\nname: imported ${at}\nextra: of ${at}\n---\n${text}\n`,
      ),
  },
  {
    name: 'imported entry',
    most: 8 * KB,
    plant: (text, at, { folder }) =>
      write(join(folder, `import/skills/skill-${at.toString(16).padStart(12, '0')}.md`), exported(at, text)),
  },
  {
    name: 'indexed file',
    most: 64 * KB,
    plant: (text, at, { folder }) =>
      write(join(folder, `src/file-${at}.txt`), `before\n\n${text}\n\nbehind\n`),
  },
  {
    name: 'name of an indexed file',
    most: 200,
    isName: true,
    plant: (text, at, { folder }) => write(join(folder, `src/${text}.ts`), `export const a${at} = 1;\n`),
  },
];

/** As an export writes it. */
function exported(at: number, text: string): string {
  const fields = {
    waymark: 1,
    id: `skill-${at.toString(16).padStart(12, '0')}`,
    kind: 'skill',
    name: `entry ${at}`,
    summary: text.slice(0, 4 * KB),
    tags: [],
    fields: { when: text },
    metadata: { deep: { notes: [text] } },
    files: [{ path: 'src/a.ts' }],
    confidence: 0.5,
    provenance: { origin: 'agent', client: text.slice(0, 2 * KB) },
    created_at: 1,
    updated_at: 1,
    version: 1,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `---\n${lines.join('\n')}\n---\n${text}\n`;
}

/** What was only laid out is taken in. */
export async function takeIn(planting: SessionPlace): Promise<readonly string[]> {
  const commands = [
    ['memory', 'import', join(planting.folder, 'import')],
    ['index'],
    ['memory', 'list', '--json'],
    ['memory', 'export', join(planting.home, 'exported')],
    ['backup', join(planting.home, 'backup')],
  ];
  const outputs: string[] = [];
  for (const args of commands) outputs.push((await runIn(planting, args)).output);
  return outputs;
}
