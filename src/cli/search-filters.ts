/** What narrows a search on the command line: the same filters, with the same meaning, as in a query and as arguments of the tool. */
import { AppError, SEARCH_KINDS } from '../core/index.ts';
import { readStandardInput } from '../platform/index.ts';
import type { SearchRequest } from '../search/index.ts';
import type { CommandOption, OptionValues } from './command.ts';
import { listOf, textOf } from './options.ts';

export const FILTER_OPTIONS: readonly CommandOption[] = [
  {
    name: 'lang',
    valueName: 'names',
    repeatable: true,
    description: 'only these languages: names or file endings, with commas',
  },
  {
    name: 'path',
    valueName: 'glob',
    repeatable: true,
    description: "only paths that match; '!glob' leaves them out; may be given again",
  },
  {
    name: 'kind',
    valueName: 'kinds',
    repeatable: true,
    description: `only these, with commas: ${SEARCH_KINDS.join(', ')}`,
    choices: SEARCH_KINDS,
  },
  {
    name: 'symbol',
    valueName: 'name',
    repeatable: true,
    description: 'only files that define it; may be given again',
  },
  { name: 'changed', description: 'only files with uncommitted changes' },
  {
    name: 'branch',
    valueName: 'name',
    description: 'only files that changed since your branch diverged from it',
  },
  { name: 'similar-to', valueName: 'path:line', description: 'find what is like the code there' },
];

type Narrowing = Pick<
  SearchRequest,
  'languages' | 'paths' | 'kinds' | 'symbols' | 'changed' | 'branch' | 'similarTo'
>;

/** Of languages and kinds one value may name several, as in a query; globs and symbols may hold commas themselves. */
export function readFilters(options: OptionValues): Narrowing {
  return {
    languages: listOf(options, 'lang', splitAtCommas),
    paths: listOf(options, 'path'),
    kinds: listOf(options, 'kind', splitAtCommas),
    symbols: listOf(options, 'symbol'),
    changed: options['changed'] === true ? true : undefined,
    branch: textOf(options, 'branch'),
    similarTo: textOf(options, 'similar-to'),
  };
}

/** A query, or the options that are enough without one. `-`, or no words in a pipe, reads it from standard input, such as a bug report. */
export async function readQuestion(
  words: readonly string[],
  filters: Narrowing,
  command: string,
): Promise<string> {
  const typed = words.join(' ');
  if (words.length > 0 && typed !== '-') return typed;
  if (words.length === 0 && (filters.similarTo !== undefined || filters.symbols !== undefined)) return '';
  const isAsked = typed === '-' || process.stdin.isTTY !== true;
  const read = isAsked ? (await readStandardInput()).trim() : '';
  if (read !== '') return read;
  throw new AppError('bad_argument', 'There is nothing to look for.', {
    hint: `waymark ${command} "how are routes registered", or a bug report: waymark ${command} - < report.txt`,
  });
}

function splitAtCommas(value: string): readonly string[] {
  return value.split(',').map((part) => part.trim());
}
