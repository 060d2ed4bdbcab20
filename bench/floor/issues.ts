/** Titles of issues as questions about whole repositories; the files that the fix changed answer them. */
import { readFileSync } from 'node:fs';
import type { Task } from '../relevance/annotations.ts';

/** By the name of the annotations. */
const REPOSITORIES: Readonly<Record<string, string>> = {
  'laravel-framework': 'laravel/framework',
  fmtlib: 'fmtlib/fmt',
  'nlohmann-json': 'nlohmann/json',
};

export function readIssues(file: string, name: string): Task[] {
  // The benchmark's own file, made for this reader.
  const issues = JSON.parse(readFileSync(file, 'utf8')) as {
    repo: string;
    query: string;
    gold_files: string[];
  }[];
  return issues
    .filter(({ repo }) => repo === REPOSITORIES[name])
    .map(({ query, gold_files }) => ({
      query: query.split(/\r?\n/)[0] ?? '',
      category: 'issue',
      relevant: gold_files.map((path) => ({ path, start: null, end: null })),
    }));
}
