/** R121 what a model reads: the text alone holds every fact, and the structured form, where it is asked for, every text. */
import { beforeAll, describe, expect, test } from 'vitest';
import { USE_KINDS } from '../../src/core/index.ts';
import { renderSize } from '../../src/text/index.ts';
import { TOOLS } from '../../src/tools/index.ts';
import { CLIENT_KINDS, isStdio, openClient, type CallAnswer, type OpenClient } from '../support/clients.ts';
import { collectEnds, tempFolder } from '../support/temp-folder.ts';
import { serve } from '../support/waymark.ts';

const CODE = `export function splitInvoice(cents: number, people: number): number[] {
  const share = Math.floor(cents / people);
\tconst rest = cents - share * people;
  return Array.from({ length: people }, (_, at) => share + (at < rest ? 1 : 0));
}`;
const CONTENT =
  'The invoice splitter rounds down.\nDecided: the first guests pay the odd cents.\nNext: test three people.';
const SUMMARY = 'Rounding of split invoices is done, tests are not.';
const SOLUTION = 'Raise the pool size to 12 and close the cursor in a finally block.';
const ERROR = 'PoolTimeoutError: no connection within 5000 ms';
const CAUSE = 'Cursors of cancelled reports stayed open.';
const SKILL = '1. npm run migrate\n2. look at the diff of schema.sql\n3. commit both';
const GUIDE = '# Unit tests\n\nEach test builds its own ledger; none shares one.';

interface Step {
  readonly tool: string;
  readonly args?: Readonly<Record<string, unknown>>;
  /** Texts that both forms hold, word for word and line for line. */
  readonly texts?: readonly string[];
  /** Facts that both forms hold. */
  readonly facts?: readonly string[];
}

/** In this order: what a later step reads an earlier one has written. */
const STEPS: readonly Step[] = [
  { tool: 'index_codebase' },
  { tool: 'index_stats' },
  { tool: 'list_indexes' },
  { tool: 'search_code', args: { query: 'splitInvoice' }, texts: [CODE], facts: ['src/invoice.ts'] },
  { tool: 'search_code', args: { query: 'how is an invoice split among people' }, texts: [CODE] },
  {
    tool: 'search_code',
    args: { query: '"Math.floor"', detail: 'locations' },
    facts: ['src/invoice.ts', 'const share = Math.floor(cents / people);'],
  },
  { tool: 'search_code', args: { query: 'zzzqqq vvvkkk' } },
  { tool: 'analyze_query', args: { query: 'splitInvoice' } },
  { tool: 'find_references', args: { symbol: 'splitInvoice' }, facts: ['src/invoice.ts', 'splitInvoice'] },
  { tool: 'find_references', args: { symbol: 'poolSize' }, facts: ['src/pool.ts', 'src/report.ts'] },
  { tool: 'get_file_dependencies', args: { file: 'src/report.ts' }, facts: ['src/pool.ts'] },
  { tool: 'get_file_impact', args: { files: ['src/pool.ts'] }, facts: ['src/report.ts'] },
  { tool: 'outline', args: { path: 'src/invoice.ts' }, facts: ['splitInvoice'] },
  {
    tool: 'checkpoint_save',
    args: {
      name: 'split invoices',
      content: CONTENT,
      summary: SUMMARY,
      tags: ['billing', 'rounding'],
      files: ['src/invoice.ts'],
      metadata: { ticket: 'PAY-417', reviewers: ['ana', 'bo'] },
    },
  },
  { tool: 'checkpoint_list', facts: ['split invoices'] },
  {
    tool: 'checkpoint_search',
    args: { query: 'rounding of invoices' },
    texts: [SUMMARY],
    facts: ['split invoices'],
  },
  {
    tool: 'checkpoint_resume',
    args: { level: 'full' },
    texts: [CONTENT],
    facts: ['split invoices', 'billing', 'rounding', 'PAY-417', 'ana', 'bo', 'src/invoice.ts'],
  },
  { tool: 'remediation_save', args: { error: ERROR, solution: SOLUTION, root_cause: CAUSE } },
  { tool: 'remediation_search', args: { error: ERROR }, texts: [SOLUTION, CAUSE, ERROR] },
  { tool: 'remediation_feedback' },
  {
    tool: 'skill_save',
    args: { name: 'change-the-schema', content: SKILL, when_to_use: 'When a table changes' },
  },
  {
    tool: 'skill_search',
    args: { query: 'change the schema of a table' },
    texts: [SKILL],
    facts: ['change-the-schema', 'When a table changes'],
  },
  { tool: 'category_list', facts: ['testing'] },
  { tool: 'category_content', args: { category: 'testing' }, texts: [GUIDE] },
  {
    tool: 'collection_create',
    args: { name: 'before a release', expressions: ['testing/*'], description: 'read first' },
  },
  { tool: 'collection_list', facts: ['before a release', 'testing/*', 'read first'] },
  { tool: 'get_content', args: { collection: 'before a release' }, texts: [GUIDE], facts: ['unit-tests'] },
  { tool: 'collection_delete', args: { name: 'before a release' }, facts: ['before a release'] },
  { tool: 'switch_project' },
  { tool: 'project_status' },
  { tool: 'clear_index' },
];

const { onEnd, end } = collectEnds();
let url: string;
let root: string;
let structured: OpenClient;
let plain: OpenClient;
let answers: ReadonlyMap<Step, { readonly full: CallAnswer; readonly text: CallAnswer }>;

beforeAll(async () => {
  const project = tempFolder(
    {
      '.git/HEAD': 'ref: refs/heads/main\n',
      'src/invoice.ts': `/** Money that several guests owe. */\n${CODE}\n`,
      'src/pool.ts': 'export const poolSize = 12;\n',
      'src/report.ts':
        "import { poolSize } from './pool.ts';\n\nexport const report = (): number => poolSize * 2;\n",
      '.waymark/guides/testing/unit-tests.md': `${GUIDE}\n`,
    },
    onEnd,
  );
  root = project.path;
  ({ url } = await serve(['--toolsets', 'all'], { onEnd }));
  structured = await openClient({ kind: 'HTTP, version 2, modern', url, onEnd });
  plain = await openClient({ kind: 'HTTP, version 2, modern', url, structured: false, onEnd });
  answers = await answerAll();
  return end;
});

/** Each step with both clients: what it says with the structured form, and without. */
async function answerAll() {
  const found = new Map<Step, { readonly full: CallAnswer; readonly text: CallAnswer }>();
  let fix = '';
  for (const step of STEPS) {
    const rated = step.tool === 'remediation_feedback' ? { id: fix, helped: true } : {};
    const args = { project: root, ...step.args, ...rated };
    const full = await structured.call(step.tool, args);
    // The first call has deleted it.
    if (step.tool === 'collection_delete')
      await plain.call('collection_create', { ...args, expressions: ['x'] });
    const text = await plain.call(step.tool, args);
    if (step.tool === 'remediation_save') fix = String(full.structured['id']);
    found.set(step, { full, text });
  }
  return found;
}

function answerOf(step: Step) {
  const answer = answers.get(step);
  if (answer === undefined) throw new Error(`${step.tool} was not called`);
  return answer;
}

const CASES = STEPS.map((step, at) => [`${at + 1}. ${step.tool}`, step] as const);

test('every tool is called here', () => {
  expect(new Set(STEPS.map(({ tool }) => tool))).toEqual(new Set(TOOLS.map(({ name }) => name)));
});

describe.each(CASES)('R121 %s', (_title, step) => {
  test('answers with text alone unless the structured form is asked for', () => {
    const { full, text } = answerOf(step);

    expect(text).toMatchObject({ isError: false, structured: {} });
    expect(Object.keys(full.structured)).not.toHaveLength(0);
  });

  test('says in its text every fact of the structured form', () => {
    const { full } = answerOf(step);

    const untold = leavesOf(full.structured).filter((leaf) => !isTold(leaf, full.text));

    expect(untold.map(({ path, value }) => `${path} = ${String(value)}`)).toEqual([]);
  });

  test('holds every line of code and every stored text in both forms', () => {
    const { full, text } = answerOf(step);
    const wanted = [...(step.texts ?? []).flatMap((stored) => stored.split('\n')), ...(step.facts ?? [])];
    const values = leavesOf(full.structured).map(({ value }) => String(value));

    expect(wanted.filter((part) => !text.text.includes(part))).toEqual([]);
    expect(wanted.filter((part) => !values.some((value) => value.includes(part)))).toEqual([]);
  });
});

test.each(CLIENT_KINDS)(
  'R121 %s: no schema of answers, and failures keep their structured form',
  async (kind) => {
    const address = kind.startsWith('HTTP+SSE') ? url.replace('/mcp', '/sse') : url;
    const client = await openClient({ kind, structured: false, ...(isStdio(kind) ? {} : { url: address }) });

    const { tools } = await client.raw.listTools();
    const good = await client.call('project_status', { project: root });
    const bad = await client.call('search_code', { project: root, query: 3 });

    expect(tools.filter(({ outputSchema }) => outputSchema !== undefined)).toEqual([]);
    expect(good).toMatchObject({ isError: false, structured: {} });
    expect(bad).toMatchObject({ isError: true, structured: { success: false, error_type: 'bad_argument' } });
  },
);

test('R121 WAYMARK_STRUCTURED and --structured turn it on; the address has the last word', async () => {
  const byFlag = await serve(['--structured']);
  const on = await openClient({ kind: 'HTTP, version 1', url: byFlag.url, structured: false });
  const off = await openClient({
    kind: 'HTTP, version 1',
    url: `${byFlag.url}?structured=false`,
    structured: false,
  });
  const byVariable = await openClient({ kind: 'stdio, version 1', env: { WAYMARK_STRUCTURED: 'true' } });

  expect((await on.call('project_status', { project: root })).structured).toMatchObject({
    project: { root },
  });
  expect((await off.call('project_status', { project: root })).structured).toEqual({});
  expect((await byVariable.call('project_status', { project: root })).structured).toMatchObject({
    project: { root },
  });
  await expect(
    openClient({ kind: 'HTTP, version 1', url: `${byFlag.url}?structured=maybe`, structured: false }),
  ).rejects.toThrow('`structured` is true or false, not `maybe`');
});

interface Leaf {
  readonly path: string;
  readonly field: string;
  readonly value: unknown;
}

function leavesOf(value: unknown, path = '', field = ''): readonly Leaf[] {
  if (Array.isArray(value)) return value.flatMap((item, at) => leavesOf(item, `${path}[${at}]`, field));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, part]) => leavesOf(part, `${path}.${key}`, key));
  return value === null || value === undefined ? [] : [{ path, field, value }];
}

const STATES: Readonly<Record<string, string>> = { done: 'index: fresh', indexed: 'index: ready' };
const SILENT = ['not given: ', 'not asked: ', 'not used: '];

/** How a value is worded where it is not told as it is. */
const WORDED: Readonly<Record<string, (value: unknown) => readonly string[]>> = {
  state: (value) => (value === 'fresh' ? [''] : [STATES[String(value)] ?? String(value)]),
  matched: (value) => (value === 0 ? ['Nothing here is about that', 'no match'] : [String(value)]),
  // Told where it is not what it mostly is.
  version: (value) => (value === 1 ? [''] : [`version ${String(value)}`]),
  possible: (value) => (value === 0 ? [''] : [String(value)]),
  waiting: (value) => (value === 0 ? [''] : [String(value)]),
  failed: (value) => (value === 0 ? [''] : [String(value)]),
  users: (value) => (value === 0 ? [''] : [String(value)]),
  grade: (value) => (value === 'sure' ? [''] : [String(value)]),
  // The line of a use shows how it is used.
  kind: (value) => (USE_KINDS.some((kind) => kind === value) ? [''] : [String(value)]),
  redacted: (value) => (value === 0 ? [''] : ['Secrets were taken out']),
  strength: (value) => (value === 'strong' ? [''] : ['weak']),
  repository: (value) => [String(value).replace(/\/\.git$/, '')],
  // Sources that said nothing are told together.
  outcome: (value) => (value === 'nothing' ? SILENT : [String(value)]),
  reason: (value) => [String(value), ...SILENT],
  size_bytes: (value) => [`${Math.ceil(Number(value) / 1024)} KB`],
  source_bytes: (value) => [`${renderSize(Number(value))} of source`],
};
/** How a thing was ranked is told by analyze_query; everything else is a fact. */
const NO_FACTS = new Set(['score', 'why']);
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

function isTold({ field, value }: Leaf, text: string): boolean {
  if (NO_FACTS.has(field) || typeof value === 'boolean') return true;
  const worded = WORDED[field]?.(value);
  if (worded !== undefined) return worded.some((words) => text.includes(words));
  if (typeof value === 'string' && ISO_TIME.test(value)) return text.includes(value.slice(0, 10));
  return text.includes(String(value));
}
