/** Asking a modern client for its roots: the answer to this call says what is missing, and the client calls again with it. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type ClientCapabilities,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { InputNeeded } from '../core/index.ts';
import type { RootsAnswer } from '../project/index.ts';
import { NO_ROOTS, readRootUris } from './read-root-uris.ts';
import { digestQuestion, type RequestState, type RoundState } from './request-state.ts';

const KEY = 'roots';
const ANSWER = z.object({ [KEY]: z.object({ roots: z.array(z.unknown()) }) });

/** Whether this request says that its client has roots. */
export function declaresModernRoots(context: ServerContext): boolean {
  // The key is the envelope's own; its type spells it as a computed name that TypeScript cannot follow.
  const envelope = context.mcpReq.envelope as
    | Readonly<Record<string, ClientCapabilities | undefined>>
    | undefined;
  return envelope?.[CLIENT_CAPABILITIES_META_KEY]?.roots !== undefined;
}

/** Throws InputNeeded if the client can be asked and has not been; `params` is what the question belongs to. */
export async function readModernRoots(context: ServerContext, params: unknown): Promise<RootsAnswer> {
  if (!declaresModernRoots(context)) return NO_ROOTS;
  // The server verified the signature before this handler ran; what is left is whether it was this question.
  const state = context.mcpReq.requestState<RoundState>();
  if (state?.asked !== digestQuestion(context.mcpReq.method, params)) throw new InputNeeded();
  const told = ANSWER.safeParse(context.mcpReq.inputResponses);
  if (!told.success) return { kind: 'none', reason: 'the client declares roots but did not tell them' };
  return { kind: 'roots', uris: readRootUris(told.data[KEY].roots) };
}

export async function askModernRoots(
  context: ServerContext,
  params: unknown,
  state: RequestState,
): Promise<InputRequiredResult> {
  const asked = digestQuestion(context.mcpReq.method, params);
  return inputRequired({
    inputRequests: { [KEY]: inputRequired.listRoots() },
    requestState: await state.mint({ asked }, context),
  });
}
