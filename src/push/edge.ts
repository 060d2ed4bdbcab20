/** Takes indexes that were made where projects are checked out: `/mcp/push/…`, for `waymark push`. */
import { AppError, toAppError } from '../core/index.ts';
import type { Engine } from '../engine/index.ts';
import { renderClient } from '../text/index.ts';
import type { CallObserver } from '../tools/index.ts';
import {
  jsonReply,
  methodNotAllowed,
  refuseScopes,
  type Edge,
  type Exchange,
  type Reply,
} from '../transport/index.ts';
import {
  malformed,
  PUSH_PATHS,
  readDigests,
  readHead,
  readKeys,
  readParts,
  unpackFrame,
  type FileHead,
  type Frame,
  type Head,
  type PushStep,
  type StateReply,
} from './protocol.ts';

export interface PushEdgeOptions {
  /** Of the caller's tenant. */
  readonly engineOf: (caller: Exchange['principal']) => Pick<Engine, 'push'>;
  readonly metadataUrl?: (() => string) | undefined;
  readonly onRefused?: ((exchange: Exchange) => void) | undefined;
  /** Told of what changes a branch. */
  readonly observe?: CallObserver | undefined;
}

type Request = Parameters<Engine['push']>[0];
type PushedFile = Extract<Request, { kind: 'add' }>['files'][number];

const STEPS = new Map<string, PushStep>([
  [PUSH_PATHS.state, 'state'],
  [PUSH_PATHS.stage, 'stage'],
  [PUSH_PATHS.add, 'add'],
  [PUSH_PATHS.commit, 'commit'],
]);

export function createPushEdge({ engineOf, metadataUrl, onRefused, observe }: PushEdgeOptions): Edge {
  return {
    serves: (path) => STEPS.has(path),
    handle(exchange) {
      const step = STEPS.get(exchange.path);
      return step === undefined ? undefined : serve(exchange, step);
    },
    close: async () => {},
  };

  async function serve(exchange: Exchange, step: PushStep): Promise<Reply> {
    exchange.note.rpcMethod = 'push';
    exchange.note.tool = 'push';
    if (exchange.method !== 'POST') return methodNotAllowed('POST');
    // What others are told of a project changes by it.
    const refusal = refuseScopes(exchange.principal, {
      needed: ['memory:write'],
      metadataUrl: metadataUrl?.(),
    });
    if (refusal !== undefined) {
      onRefused?.(exchange);
      return refusal;
    }
    const ended = step === 'commit' ? observe?.call(toStarted(exchange)) : undefined;
    let isDone = false;
    try {
      const body = await exchange.readBytes();
      if (body.kind === 'gone') throw malformed();
      if (body.kind === 'too_large') throw new AppError('bad_argument', body.message);
      const request = toRequest(step, await unpackFrame(body.bytes), exchange.principal.id);
      const answer = await engineOf(exchange.principal).push(request, { signal: exchange.signal });
      isDone = true;
      return jsonReply(200, toValue(answer));
    } catch (thrown) {
      return failureReply(thrown);
    } finally {
      ended?.({ answer: { text: '', structured: {}, ...(isDone ? {} : { isError: true }) }, detection: undefined });
    }
  }
}

function toStarted(exchange: Exchange): Parameters<CallObserver['call']>[0] {
  return {
    tool: 'push',
    args: {},
    client: renderClient([exchange.header('user-agent')]),
    transport: 'http',
    principal: exchange.principal,
    writes: true,
  };
}

function toRequest(step: PushStep, { head, bytes }: Frame, person: string): Request {
  const targetOf = ({ project, branch, head: isHead, attempt }: Head<PushStep>): Request['target'] => ({
    identity: project,
    branch,
    isHead,
    attempt,
    person,
  });
  switch (step) {
    case 'state': {
      const read = readHead('state', head);
      const { kept, analysis, parser } = read;
      const digests = readDigests(bytes);
      return { kind: 'state', target: targetOf(read), digests, kept, maker: { analysis, parser } };
    }
    case 'stage': {
      const read = readHead('stage', head);
      const keys = readKeys(bytes, read.entries.length);
      const entries = read.entries.flatMap(([path, sizeBytes, mtimeMs, own], at) => {
        const key = keys[at];
        return key === undefined ? [] : [{ path, sizeBytes, mtimeMs, isOwn: own === 1, key }];
      });
      return { kind: 'stage', target: targetOf(read), entries };
    }
    case 'add': {
      const read = readHead('add', head);
      const parts = readParts(bytes, read.files);
      const files = read.files.map((file, at) => toPushedFile(file, parts[at] ?? []));
      return { kind: 'add', target: targetOf(read), files };
    }
    case 'commit': {
      const read = readHead('commit', head);
      const { base, commit, differing, kept, files } = read;
      return { kind: 'commit', target: targetOf(read), end: { base, commit, differing, kept, files } };
    }
  }
}

function toPushedFile(
  { own, parsed, vectors, lengths: _, ...file }: FileHead,
  [terms, trigrams, packed, outline, facts, source]: readonly (Uint8Array | undefined)[],
): PushedFile {
  if (terms === undefined || trigrams === undefined || (vectors === undefined) !== (packed === undefined))
    throw malformed();
  return {
    ...file,
    isOwn: own,
    terms,
    trigrams,
    vectors: vectors && packed && { ...vectors, packed },
    outline: outline && new TextDecoder().decode(outline),
    parsed: parsed && {
      note: { parser: parsed.parser, failure: parsed.failure, errorShare: parsed.errorShare },
      facts,
    },
    source,
  };
}

function toValue(answer: Awaited<ReturnType<Engine['push']>>): unknown {
  switch (answer.kind) {
    case 'state': {
      const { commit = null, generation, differing, keepsSource } = answer;
      return { commit, generation, differing, keeps_source: keepsSource } satisfies StateReply;
    }
    case 'stage':
      return { missing: answer.missing };
    case 'add':
      return {};
    case 'commit':
      return { generation: answer.generation, files: answer.files };
  }
}

const STATUS: Readonly<Record<string, number>> = {
  bad_argument: 400,
  storage_busy: 409,
  storage_unavailable: 503,
  too_busy: 503,
};

/** A bug is thrown on: the listener answers it with a reference. */
function failureReply(thrown: unknown): Reply {
  const error = toAppError(thrown);
  if (error.facts.fault === 'bug') throw thrown;
  const { code, message, hint } = error;
  return jsonReply(STATUS[code] ?? 400, { error_type: code, message, ...(hint && { hint }) });
}
