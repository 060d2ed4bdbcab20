/** From answers and failures to statuses: the one place where the REST API decides on them. Pure. */
import { ERROR_FACTS } from '../core/index.ts';
import { jsonReply, type Reply } from '../transport/index.ts';
import { renderFailure, type ToolAnswer } from '../tools/index.ts';

type Body = Readonly<Record<string, unknown>>;

/** What can go wrong with a call besides what `ERROR_FACTS` knows. */
const OTHER_STATUS: Readonly<Record<string, number>> = {
  bad_project: 400,
  project_forbidden: 403,
  weak_project: 409,
  unknown_operation: 404,
  unknown_resource: 404,
  method_not_allowed: 405,
  too_large: 413,
};

export function statusOf(errorType: unknown): number {
  if (typeof errorType !== 'string') return 500;
  const known = Object.entries(ERROR_FACTS).find(([code]) => code === errorType);
  return known?.[1].httpStatus ?? OTHER_STATUS[errorType] ?? 500;
}

/** What the tool says in fields, and the text a model would read; the text of others is fenced in it. */
export function answerReply({ text, structured, isError }: ToolAnswer): Reply {
  if (isError === true) return jsonReply(statusOf(structured['error_type']), structured);
  const goesOn = structured['state'] === 'running' && structured['operation_id'] !== undefined;
  return jsonReply(goesOn ? 202 : 200, { success: true, ...structured, text });
}

export function failureReply(
  failure: { readonly errorType: string; readonly message: string; readonly instruction: string },
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const body: Body = renderFailure(failure).structured;
  return jsonReply(statusOf(failure.errorType), body, headers);
}
