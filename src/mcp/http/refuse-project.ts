/** A URL that names a project which cannot be used is refused before anything runs. */
import type { SourceReport } from '../../core/index.ts';
import type { QueryPath } from '../../project/index.ts';
import { isRecord, readableId } from './classify.ts';
import { errorReply, RPC, type Reply } from './reply.ts';

/** Only what works on a project is refused: a deleted directory must not keep a client from pinging or closing. */
const METHODS: readonly unknown[] = ['initialize', 'tools/call', 'resources/read', 'prompts/get'];

export function refuseProject(
  path: QueryPath | undefined,
  body: unknown,
  checkQuery: (path: QueryPath) => SourceReport,
): Reply | undefined {
  if (path === undefined) return undefined;
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  const first = messages.find((message) => isRecord(message) && METHODS.includes(message['method']));
  if (first === undefined) return undefined;
  const report = checkQuery(path);
  if (report.kind !== 'refused') return undefined;
  const status = report.why === 'forbidden' ? 403 : 400;
  return errorReply({ status, code: RPC.invalidParams, message: report.message, id: readableId(first) });
}
