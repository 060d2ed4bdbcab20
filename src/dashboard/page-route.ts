/** One address of the page's API: what it takes, and what it answers from. */
import type * as z from 'zod';
import { AppError, type Clock, type Project, type Toolset } from '../core/index.ts';
import type { Engine } from '../engine/index.ts';
import type { Detector } from '../project/index.ts';
import type { CallContext } from '../tools/index.ts';
import type { Exchange, Reply } from '../transport/index.ts';
import type { FindingValue } from './api.ts';
import type { CallLog } from './call-log.ts';
import type { LiveStream } from './live-stream.ts';

/** What answers are made from. */
export interface PageParts {
  readonly engine: Engine;
  readonly detector: Detector;
  readonly log: CallLog;
  readonly live: LiveStream;
  readonly version: string;
  /** The sets of tools that clients get who choose none. */
  readonly toolsets: readonly Toolset[];
  readonly clock: Clock;
  /** The command that connects a client to this server. */
  readonly connect: () => Promise<string>;
  /** Examines this installation, in a process of its own. */
  readonly examine: (signal: AbortSignal) => Promise<readonly FindingValue[]>;
}

export interface PageRequest<Input> {
  readonly input: Input;
  readonly exchange: Exchange;
  readonly call: CallContext;
  readonly page: PageParts;
}

export interface PageRoute {
  readonly verb: 'GET' | 'POST';
  readonly path: string;
  /** What is asked for changes something that is kept. */
  readonly writes: boolean;
  /** A value is sent as JSON; a reply as it is. */
  readonly run: (args: unknown, request: Omit<PageRequest<unknown>, 'input'>) => Promise<PageAnswer>;
}

export type PageAnswer = { readonly value: unknown } | { readonly reply: Reply };

export function defineRoute<Input extends z.ZodObject>(definition: {
  readonly verb: 'GET' | 'POST';
  readonly path: string;
  readonly writes?: true;
  readonly input: Input;
  readonly answer: (request: PageRequest<z.output<Input>>) => Promise<unknown>;
}): PageRoute {
  const { verb, path, writes = false, input, answer } = definition;
  return {
    verb,
    writes,
    path: `/ui/api/${path}`,
    async run(args, request) {
      const parsed = input.safeParse(args);
      if (parsed.success) return { value: await answer({ ...request, input: parsed.data }) };
      const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
      throw new AppError('bad_argument', `The request does not fit: ${problems.slice(0, 5).join('; ')}`);
    },
  };
}

/** The project that a request names, if this caller may name it. */
export async function projectAt(
  { call }: Pick<PageRequest<unknown>, 'call'>,
  root: string,
): Promise<Project> {
  const named = await call.name(root);
  if (named.kind === 'found') return named.project;
  throw new AppError('bad_argument', named.message, { hint: 'Choose another project.' });
}
