/** What both relevance commands are told on the command line. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface RelevanceArguments {
  readonly annotations: string;
  readonly repos: string;
  readonly out: string | undefined;
  /** Index whole repositories instead of the folder the annotation names. */
  readonly whole: boolean;
  readonly ablate: boolean;
  /** Ask each question in other words, too. */
  readonly rewrites: boolean;
  /** Parse exactly before asking. */
  readonly exact: boolean;
  readonly only: readonly string[];
  /** Features that training does without. */
  readonly without: readonly string[];
  /** A file of issues with the files that their fixes changed. */
  readonly issues: string | undefined;
  /** Where indexes are kept for the next run; undefined for a folder that goes with this one. */
  readonly keep: string | undefined;
}

export function readArguments(usage: string): RelevanceArguments {
  const { values } = parseArgs({
    options: {
      annotations: { type: 'string' },
      repos: { type: 'string' },
      out: { type: 'string' },
      whole: { type: 'boolean', default: false },
      ablate: { type: 'boolean', default: false },
      rewrites: { type: 'boolean', default: false },
      exact: { type: 'boolean', default: false },
      only: { type: 'string' },
      without: { type: 'string' },
      issues: { type: 'string' },
      keep: { type: 'string' },
    },
  });
  if (values.annotations === undefined || values.repos === undefined) {
    process.stderr.write(`error: --annotations and --repos are needed\nhint: ${usage}\n`);
    process.exit(2);
  }
  return {
    annotations: resolve(values.annotations),
    repos: resolve(values.repos),
    out: values.out === undefined ? undefined : resolve(values.out),
    whole: values.whole,
    ablate: values.ablate,
    rewrites: values.rewrites,
    exact: values.exact,
    only: values.only?.split(',') ?? [],
    without: values.without?.split(',') ?? [],
    issues: values.issues === undefined ? undefined : resolve(values.issues),
    keep: values.keep === undefined ? undefined : resolve(values.keep),
  };
}
