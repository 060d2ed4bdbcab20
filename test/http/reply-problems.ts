/** What is wrong with a reply, compared with what a row of the matrix expects: nothing, if all is well. */
import { SECRET } from '../support/fixture-tools.ts';
import type { RawReply } from '../support/raw-http.ts';
import { messageOf, type RpcBody } from '../support/rpc.ts';
import type { Expected } from './matrix-row.ts';

export function findProblems(reply: RawReply, expected: Expected): readonly string[] {
  const { status, headers = {} } = expected;
  return [
    ...(reply.status === status ? [] : [`status ${reply.status}, not ${status}`]),
    ...Object.entries(headers).flatMap(([name, value]) => differs(name, reply.headers[name], value)),
    ...(expected.id === null ? differs('body', reply.text, '') : findBodyProblems(reply, expected)),
    ...(reply.text.includes(SECRET) ? ['the insides of a crash are told'] : []),
    ...(/\bat .*:\d+:\d+/.test(reply.text) ? ['a stack is told'] : []),
  ];
}

function findBodyProblems(reply: RawReply, expected: Expected): readonly string[] {
  const { id = 7, code, message, check } = expected;
  const body = messageOf(reply);
  return [
    ...differs('jsonrpc', body.jsonrpc, '2.0'),
    ...differs('id', body.id, id),
    ...(code === undefined ? [] : findErrorProblems(reply, body, code)),
    ...(message === undefined ? [] : differs('message', body.error?.message, message)),
    ...(check === undefined || check(body) ? [] : [`not what was expected: ${reply.text.slice(0, 1000)}`]),
  ];
}

function findErrorProblems(reply: RawReply, body: RpcBody, code: number): readonly string[] {
  return [
    ...differs('content-type', reply.headers['content-type'], 'application/json'),
    ...differs('code', body.error?.code, code),
    ...differs('message', body.error?.message, /./),
    ...('result' in body ? ['an error with a result'] : []),
  ];
}

function differs(what: string, is: unknown, wanted: unknown): readonly string[] {
  const fits = wanted instanceof RegExp ? typeof is === 'string' && wanted.test(is) : is === wanted;
  return fits ? [] : [`${what} is ${JSON.stringify(is)}, not ${String(wanted)}`];
}
