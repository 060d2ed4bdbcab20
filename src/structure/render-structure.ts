/** Structure as text: few tokens, one line a use with the definition around it, tests apart, and what could not be seen. */
import { countOf, escapeControl, estimateCodeTokens, renderCodeLine } from '../text/index.ts';
import type { Unseen } from './parsed-as-needed.ts';
import type { FilesAnswer, OutlineAnswer, ReferencesAnswer, ShownSymbol } from './structure.ts';

export const USUAL_BUDGET = 900;
export const IMPACT = 'may be affected';
const MOST_LINE_CHARS = 100;
const MOST_TEST_FILES = 8;
const MOST_RANGE_CHARS = 40;
const MOST_TWINS = 3;
const MORE_BY_COMMAND = 'more uses: raise --budget, or narrow with --path or --kind';
/** A few saved files are parsed in no time. */
const LEAST_TOLD = 5;

export interface RenderedReferences {
  readonly text: string;
  /** Where the next page begins; undefined after the last. */
  readonly next: number | undefined;
}

export interface ReferencesLook {
  readonly budget?: number | undefined;
  readonly from?: number;
  readonly direction?: 'in' | 'out' | undefined;
  /** Who is told what to ask next: a model that calls tools, or a person who types commands. */
  readonly asker?: 'tool' | 'command';
  /** A path of the project as it is shown; as it is in the project if left out. */
  readonly shown?: (path: string) => string;
}

const AS_IT_IS = (path: string): string => path;

interface Page {
  readonly lines: string[];
  tokens: number;
  /** Groups that were passed over, and that were shown. */
  skip: number;
  shown: number;
  isFull: boolean;
}

/** `from` counts the groups of uses that earlier pages showed. */
export function renderReferences(
  answer: ReferencesAnswer,
  {
    budget = USUAL_BUDGET,
    from = 0,
    direction = 'in',
    asker = 'tool',
    shown = AS_IT_IS,
  }: ReferencesLook = {},
): RenderedReferences {
  const page: Page = { lines: [], tokens: 0, skip: from, shown: 0, isFull: false };
  const ranked = answer.symbols.toSorted((a, b) => b.references.length - a.references.length);
  for (const [at, symbol] of ranked.entries()) {
    const twins = at === 0 ? [...ranked.slice(1), ...answer.others] : [];
    renderSymbol(symbol, twins, { page, budget, direction, asker, shown });
  }
  if (answer.others.length > 0)
    add(page, `${answer.others.length} more of this name are left out: name a container or path:line`);
  for (const line of renderUnseen(answer.unseen)) add(page, line);
  const next = page.isFull ? from + page.shown : undefined;
  if (next !== undefined)
    add(page, asker === 'tool' ? `more uses: cursor ${next}, or narrow with path or kind` : MORE_BY_COMMAND);
  const isDoubted = ranked.some(({ references }) => references.some(({ grade }) => grade !== 'sure'));
  if (isDoubted && asker === 'command')
    add(page, '? likely, ?? possible: may mean another symbol of this name');
  return { text: page.lines.join('\n'), next };
}

function add(page: Page, line: string): void {
  page.lines.push(line);
  page.tokens += estimateCodeTokens(line);
}

interface SymbolLook {
  readonly page: Page;
  readonly budget: number;
  readonly direction: 'in' | 'out';
  readonly asker: 'tool' | 'command';
  readonly shown: (path: string) => string;
}

function renderSymbol(
  symbol: ShownSymbol,
  twins: readonly { readonly path: string; readonly line: number }[],
  { page, budget, direction, asker, shown }: SymbolLook,
): void {
  const { name, kind, path, line, references, possible } = symbol;
  const others = twins.slice(0, MOST_TWINS).map((each) => `${shown(each.path)}:${each.line}`);
  const more = twins.length > MOST_TWINS ? ', …' : '';
  const shared =
    twins.length === 0 ? '' : `  (${twins.length} more of this name: ${others.join(', ')}${more})`;
  add(page, escapeControl(`${name} ${kind} ${shown(path)}:${line}${shared}`));
  add(page, summary(symbol, direction, asker));
  const code = references.filter(({ isTest }) => !isTest);
  const tests = references.filter(({ isTest }) => isTest);
  for (const [file, uses] of byKey(code, (each) => each.path)) {
    const rows =
      direction === 'out' ? uses.map((use) => [use]) : [...byKey(uses, (use) => use.symbol ?? '').values()];
    let isNamed = false;
    for (const row of rows) {
      if (page.skip > 0) {
        page.skip--;
        continue;
      }
      if (page.isFull || page.tokens > budget * 0.8) {
        page.isFull = true;
        return;
      }
      if (!isNamed) add(page, escapeControl(shown(file)));
      isNamed = true;
      add(page, renderRow(row, direction));
      page.shown++;
    }
  }
  if (tests.length > 0) add(page, renderTests(tests, shown));
  const isImported = kind === 'module' && symbol.imports > 0;
  if (references.length === 0 && possible === 0 && direction === 'in' && !isImported)
    add(page, 'no known use: that does not prove that it is unused');
}

function summary(
  { references, possible, imports, isByName, isPartial }: ShownSymbol,
  direction: SymbolLook['direction'],
  asker: SymbolLook['asker'],
): string {
  const files = new Set(references.map(({ path }) => path));
  const testFiles = new Set(references.filter(({ isTest }) => isTest).map(({ path }) => path));
  const inTests = references.filter(({ isTest }) => isTest).length;
  const what = direction === 'in' ? 'use' : 'symbol';
  const ask = asker === 'tool' ? 'include: possible' : '--possible';
  const isByNameAlone = references.length === 0 && possible > 0 && direction === 'in';
  if (isByNameAlone)
    return [
      `no sure use, ${countOf(possible, 'possible use')} by name: ${ask}`,
      ...(imports > 0 ? [`${countOf(imports, 'import line')} besides`] : []),
      ...(isPartial ? ['not all files were looked at'] : []),
    ].join(', ');
  return [
    `${countOf(references.length, what)}${direction === 'out' ? ' used' : ''} in ${countOf(files.size, 'file')}`,
    ...(inTests > 0 ? [`${inTests} of them in ${countOf(testFiles.size, 'test file')}`] : []),
    ...(imports > 0 ? [`${countOf(imports, 'import line')} besides`] : []),
    ...(isByName ? ['by name only: some may mean another symbol'] : []),
    ...(isPartial ? ['not all files were looked at'] : []),
    ...(possible > 0 ? [`${possible} more may be meant: ${ask}`] : []),
  ].join(', ');
}

type Row = ShownSymbol['references'];

function renderRow(row: Row, direction: 'in' | 'out'): string {
  const [first] = row;
  if (first === undefined) return '';
  const lines = [...new Set(row.map(({ line }) => line))];
  const places = lines.length > 3 ? ranges(lines) : lines.join(',');
  const doubt = row.every(({ grade }) => grade === 'possible')
    ? ' ??'
    : row.some(({ grade }) => grade !== 'sure')
      ? ' ?'
      : '';
  const name = first.symbol === undefined ? '' : ` ${escapeControl(first.symbol)}`;
  const text =
    direction === 'out' && first.text === '' ? '' : `: ${renderCodeLine(first.text, MOST_LINE_CHARS)}`;
  return `  ${places}${name}${doubt}${text}`;
}

function renderTests(tests: Row, shown: SymbolLook['shown']): string {
  const files = [...byKey(tests, ({ path }) => path)];
  const named = files
    .slice(0, MOST_TEST_FILES)
    .map(
      ([path, uses]) => `${shown(path)}:${ranges(uses.map(({ line }) => line)).slice(0, MOST_RANGE_CHARS)}`,
    );
  const more = files.length > MOST_TEST_FILES ? ` · ${files.length - MOST_TEST_FILES} more files` : '';
  return escapeControl(`tests: ${named.join(' · ')}${more}`);
}

/** Lines that are near each other are one range. */
function ranges(lines: readonly number[]): string {
  const found: [number, number][] = [];
  for (const line of lines) {
    const last = found.at(-1);
    if (last !== undefined && line - last[1] <= 3) last[1] = line;
    else found.push([line, line]);
  }
  return found.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}

function byKey<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** Nearest first, with the way there; tests at the end. */
export function renderFiles(
  answer: FilesAnswer,
  {
    budget = USUAL_BUDGET,
    what = 'files',
    asker = 'tool',
    shown = AS_IT_IS,
  }: Omit<ReferencesLook, 'from' | 'direction'> & { readonly what?: string } = {},
): string {
  const { from, files } = answer;
  const code = files.filter(({ isTest }) => !isTest);
  const tests = files.filter(({ isTest }) => isTest);
  const lines = [`${countOf(code.length, 'file')} ${what}, ${countOf(tests.length, 'test file')}`];
  let tokens = 0;
  let distance = 0;
  for (const [at, file] of code.entries()) {
    const line = `  ${shown(file.path)}${file.distance > 1 ? ` via ${shown(file.via)}` : ''}`;
    tokens += estimateCodeTokens(line);
    if (tokens > budget * 0.7) {
      lines.push(
        `  … ${code.length - at} more: ${raise(asker)} or lower ${asker === 'tool' ? 'depth' : '--depth'}`,
      );
      break;
    }
    if (file.distance !== distance) lines.push(`distance ${(distance = file.distance)}`);
    lines.push(escapeControl(line));
  }
  if (tests.length > 0) {
    const named = tests.slice(0, MOST_TEST_FILES * 3).map(({ path }) => shown(path));
    const more = tests.length > named.length ? ` … ${tests.length - named.length} more` : '';
    lines.push(escapeControl(`${what === IMPACT ? 'tests to run' : 'tests'}: ${named.join(' ')}${more}`));
  }
  const head =
    from.length === 0
      ? 'no file changed'
      : from.slice(0, 5).map(shown).join(', ') + (from.length > 5 ? `, … ${from.length - 5} more` : '');
  return [escapeControl(head), ...lines, ...renderUnseen(answer.unseen)].join('\n');
}

/** A command's option is written as one types it. */
function raise(asker: ReferencesLook['asker']): string {
  return asker === 'tool' ? 'raise budget' : 'raise --budget';
}

export function renderOutline(
  answer: OutlineAnswer,
  {
    budget = USUAL_BUDGET,
    asker = 'tool',
    shown = AS_IT_IS,
  }: Omit<ReferencesLook, 'from' | 'direction'> = {},
): string {
  const lines: string[] = [];
  let tokens = 0;
  let left = 0;
  for (const file of answer.files) {
    const used = (file.users ?? 0) === 0 ? '' : `  used by ${countOf(file.users ?? 0, 'file')}`;
    const block = [
      escapeControl(`${shown(file.path)}${used}`),
      ...file.definitions.map(({ line, kind, name, container, signature, users }) => {
        const head = signature === '' ? `${kind} ${name}` : signature;
        const indent = container === undefined ? '  ' : '    ';
        const named = users === undefined || users === 0 ? '' : `  (${users})`;
        return `${indent}${line} ${renderCodeLine(head, MOST_LINE_CHARS)}${named}`;
      }),
    ];
    for (const line of block) {
      tokens += estimateCodeTokens(line);
      if (tokens > budget) left++;
      else lines.push(line);
    }
  }
  if (left > 0) lines.push(`… ${left} more lines: ${raise(asker)}, or name a file or folder`);
  return [...lines, ...renderUnseen(answer.unseen)].join('\n');
}

/** What an answer could not see. Nothing where it saw all. */
export function renderUnseen({ waiting, failed, byName, waitedFor }: Unseen): readonly string[] {
  const parts = [
    ...(waiting > 0 ? [`${countOf(waiting, 'file')} not parsed yet`] : []),
    ...(failed > 0 ? [`${countOf(failed, 'file')} that could not be parsed`] : []),
    ...(byName.length > 0 ? [`only by name: ${byName.map(({ language }) => language).join(', ')}`] : []),
  ];
  return [...(parts.length === 0 ? [] : [`not seen: ${parts.join('; ')}`]), ...renderWaited(waitedFor)];
}

/** Why a call took longer than the next will. */
function renderWaited(waitedFor: number): readonly string[] {
  if (waitedFor < LEAST_TOLD) return [];
  return [`${countOf(waitedFor, 'file was', 'files were')} parsed for this answer: the next one is quicker`];
}
