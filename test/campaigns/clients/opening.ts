/** How an agent opens the conversation with a server: the messages it sent, and what is to be read in them. */
import { objectOf, textOf, type JsonObject } from './model/turn.ts';

export interface Opening {
  readonly with: string;
  readonly declares: readonly string[];
  readonly client: string;
}

const MODERN = 'io.modelcontextprotocol/';

/** Reads one JSON message per line; what is none is passed over. */
export function readOpening(lines: readonly string[]): Opening | undefined {
  const messages = lines.flatMap(parseLine).filter((message) => message['method'] !== undefined);
  const [first] = messages;
  if (first === undefined) return undefined;
  const params = messages.map((message) => objectOf(message['params']));
  const meta = params.map((each) => objectOf(each['_meta']));
  const version = textOf(firstOf(params, 'protocolVersion') ?? firstOf(meta, `${MODERN}protocolVersion`));
  const capabilities = firstOf(params, 'capabilities') ?? firstOf(meta, `${MODERN}clientCapabilities`);
  const client = objectOf(firstOf(params, 'clientInfo') ?? firstOf(meta, `${MODERN}clientInfo`));
  return {
    with: `${textOf(first['method']).replace('server/', '')} ${version}`.trim(),
    declares: Object.keys(objectOf(capabilities)),
    client: `${textOf(client['name'])} ${textOf(client['version'])}`.trim(),
  };
}

function parseLine(line: string): readonly JsonObject[] {
  try {
    return [objectOf(JSON.parse(line))];
  } catch {
    return [];
  }
}

function firstOf(objects: readonly JsonObject[], key: string): unknown {
  return objects.find((object) => object[key] !== undefined)?.[key];
}
