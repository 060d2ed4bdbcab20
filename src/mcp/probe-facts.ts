/**
 * What a client's message tells about the client, in lines that are safe to publish: names and shapes, never values,
 * except for the few that say which project is meant. Pure, and never throws.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import { CODEX_META, GOOSE_META } from '../project/index.ts';
import { escapeControl, hideSecrets } from '../text/index.ts';

const MAX_SHOWN = 200;
const MAX_ROOTS = 10;
const MAX_KEYS = 60;

type Fields = Readonly<Record<string, unknown>>;

export function factsOf(message: unknown): readonly string[] {
  const { method, params, result, error } = toFields(message);
  if (typeof method === 'string') return factsOfMethod(method, toFields(params));
  // The probe asks for nothing but roots, so every answer is one to that.
  if (error !== undefined) return [`roots: error ${shownNumber(toFields(error)['code'])}`];
  return factsOfRoots(result);
}

function factsOfMethod(method: string, params: Fields): readonly string[] {
  const meta = toFields(params['_meta']);
  return [
    `received: ${shown(method)}`,
    ...(method === 'initialize' ? factsOfHandshake('legacy', params) : factsOfEnvelope(meta)),
    ...factsOfMeta(method, meta),
    ...Object.values(toFields(params['inputResponses'])).flatMap(factsOfRoots),
  ];
}

function factsOfEnvelope(meta: Fields): readonly string[] {
  if (meta[PROTOCOL_VERSION_META_KEY] === undefined) return [];
  return factsOfHandshake('modern', {
    protocolVersion: meta[PROTOCOL_VERSION_META_KEY],
    clientInfo: meta[CLIENT_INFO_META_KEY],
    capabilities: meta[CLIENT_CAPABILITIES_META_KEY],
  });
}

function factsOfHandshake(era: 'legacy' | 'modern', said: Fields): readonly string[] {
  const { name, version } = toFields(said['clientInfo']);
  return [
    `era: ${era}, protocol version ${shownText(said['protocolVersion'])}`,
    `client: ${shownText(name)}, version ${shownText(version)}`,
    `capabilities: ${listed(namesWithin(said['capabilities']))}`,
  ];
}

function factsOfMeta(method: string, meta: Fields): readonly string[] {
  const codex = toFields(meta[CODEX_META])['sandboxCwd'];
  const goose = meta[GOOSE_META];
  return [
    ...(Object.keys(meta).length === 0
      ? []
      : [`_meta keys of ${shown(method)}: ${listed(Object.keys(meta))}`]),
    ...(codex === undefined ? [] : [`${CODEX_META}, sandboxCwd: ${shownPlace(codex)}`]),
    ...(goose === undefined ? [] : [`${GOOSE_META}: ${shownPlace(goose)}`]),
  ];
}

function factsOfRoots(result: unknown): readonly string[] {
  const { roots } = toFields(result);
  if (!Array.isArray(roots)) return ['roots: an answer without a list'];
  const places = roots
    .slice(0, MAX_ROOTS)
    .map((root, index) => `root ${index + 1}: ${shownPlace(toFields(root)['uri'])}`);
  return [`roots: ${roots.length} told`, ...places];
}

/** Names of capabilities and whether they are on: `roots.listChanged=true`. What else they hold is not shown. */
function namesWithin(value: unknown, prefix = '', depth = 0): readonly string[] {
  return Object.entries(toFields(value)).flatMap(([key, inner]) => {
    const name = `${prefix}${key}`;
    if (typeof inner === 'boolean') return [`${name}=${inner}`];
    const within = depth < 2 ? namesWithin(inner, `${name}.`, depth + 1) : [];
    return within.length === 0 ? [name] : within;
  });
}

/** A directory, as path or file URI. Anything else could be anything, so only that is said. */
function shownPlace(value: unknown): string {
  if (typeof value !== 'string') return 'not a text';
  if (/^(?:\/|[a-z]:[\\/])/i.test(value)) return shown(value);
  const [uri] = value.split(/[?#]/);
  return /^file:\/\//i.test(value) ? shown(uri ?? '') : 'neither an absolute path nor a file URI';
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const more = names.length > MAX_KEYS ? [`and ${names.length - MAX_KEYS} more`] : [];
  return [...names.slice(0, MAX_KEYS).map(shown), ...more].join(', ');
}

/** Foreign text on one line, without control characters and without what has the form of a secret. */
export function shown(text: string): string {
  const safe = escapeControl(hideSecrets(text));
  return safe.length > MAX_SHOWN ? `${safe.slice(0, MAX_SHOWN)}…` : safe;
}

function shownText(value: unknown): string {
  return typeof value === 'string' ? shown(value) : 'not told';
}

function shownNumber(value: unknown): string {
  return typeof value === 'number' ? String(value) : 'without a code';
}

function toFields(value: unknown): Fields {
  // Any object's fields may be looked at; what is in them is checked one by one.
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
