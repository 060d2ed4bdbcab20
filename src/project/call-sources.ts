/** Sources that a call brings along: what its caller names outright, and what its client tells of itself. */
import { isAbsolute } from 'node:path';
import { parsePushedRoot } from '../core/index.ts';
import type {
  FoundReport,
  Project,
  ProjectSource,
  RefusedReport,
  Silence,
  SourceReport,
} from '../core/index.ts';
import type { Disk } from '../workspace/index.ts';
import {
  resolveMarkedDirectory,
  resolveNamedDirectory,
  resolveOpenDirectory,
  type NamedDirectory,
  type AllowedRoots,
  type Places,
} from './identity.ts';

/** What a source may look at, and the limits it keeps to. */
export interface SourceRules {
  readonly places: Places;
  /** What this caller may name. */
  readonly limit: AllowedRoots;
  /** Projects of this name whose index was pushed: they lie on no disk. */
  readonly findPushed: (name: string) => Promise<readonly Project[]>;
}

export function nothing(source: ProjectSource, reason: string, silence?: Silence): SourceReport {
  return { kind: 'nothing', source, reason, silence };
}

export function refused(
  source: ProjectSource,
  message: string,
  why: 'unusable' | 'forbidden' = 'unusable',
): RefusedReport {
  return { kind: 'refused', source, message, why };
}

type NamedProject = Extract<NamedDirectory, { kind: 'project' }>;

export function found(source: ProjectSource, named: NamedProject, via: string, weak = false): FoundReport {
  return { kind: 'found', source, project: named.project, via, weak, vcs: named.vcs };
}

/** The same words whether the path exists or not, and only the path that the caller knows already. */
export function forbidden(source: ProjectSource, path: string): RefusedReport {
  return refused(source, `Project path is outside the folders this server allows: ${path}`, 'forbidden');
}

/** Whether a known project was neither moved nor deleted. Asked only of one that may be named. */
export function isThere(root: string, limit: AllowedRoots): boolean {
  return limit.diskOf(root).kind(root) === 'directory';
}

/** What a caller's path came to, unless it lies where this caller may not go. */
function resolveAllowed(
  path: string,
  resolve: (path: string, places: Places, disk: Disk) => NamedDirectory,
  { places, limit }: Pick<SourceRules, 'places' | 'limit'>,
): Exclude<NamedDirectory, { kind: 'outside' }> | 'forbidden' {
  const named = resolve(path, places, limit.disk);
  return named.kind === 'outside' ? 'forbidden' : named;
}

/** Roots of the known projects with this name, most recently used first. */
export type FindByName = (name: string) => Promise<readonly string[]>;

/** Sources `argument` and `switched`: a path, or the name of a known project. */
export async function reportNamed(
  source: Extract<ProjectSource, 'argument' | 'switched'>,
  text: string,
  rules: SourceRules,
  findByName: FindByName,
): Promise<SourceReport> {
  if (isAbsolute(text)) return reportPath(source, text, rules);
  const pushed = await reportPushed(source, text, rules);
  if (pushed !== undefined) return pushed;
  // Anything that looks like a path is one: a relative path must not be taken for a name by accident.
  if (/[\\/]|^\.{1,2}$|^~/.test(text)) return refused(source, `Project path must be absolute: ${text}`);
  // Projects that this caller may not name do not exist for it, not even as one of several.
  const known = (await findByName(text)).filter((root) => rules.limit.allows(root));
  // One that was moved or deleted cannot be meant, unless there is no other: then its absence is the answer.
  const there = known.filter((root) => isThere(root, rules.limit));
  const roots = there.length === 0 ? known : there;
  const [only] = roots;
  if (only === undefined)
    return refused(source, `No known project is named ${text}. Pass its absolute path.`);
  if (roots.length > 1) {
    return refused(
      source,
      `Several projects are named ${text}. Pass the absolute path of one: ${roots.join(', ')}`,
    );
  }
  return reportPath(source, only, rules);
}

/** `host/path`, as a remote is called without its protocol, or its last word; with `@branch` or without. */
const PUSHED = /^(?:pushed:)?[^\\@\s~][^\\@\s]*(?:@\S+)?$/;
const MOST_NAME_CHARS = 1_000;

/** Undefined if the text is no name of a pushed project. */
async function reportPushed(
  source: ProjectSource,
  text: string,
  { findPushed }: Pick<SourceRules, 'findPushed'>,
): Promise<SourceReport | undefined> {
  if (text.length > MOST_NAME_CHARS || !PUSHED.test(text) || text.startsWith('.')) return undefined;
  const found = await findPushed(text);
  const [only] = found;
  if (only === undefined) return undefined;
  if (found.length === 1)
    return { kind: 'found', source, project: only, via: 'pushed', weak: false, vcs: true };
  const names = found.map(({ root }) => parsePushedRoot(root)?.identity ?? root);
  return refused(source, `Several pushed projects are named ${text}: ${names.join(', ')}. Name one whole.`);
}

function reportPath(source: ProjectSource, path: string, rules: SourceRules): SourceReport {
  const named = resolveAllowed(path, resolveNamedDirectory, rules);
  if (named === 'forbidden') return forbidden(source, path);
  if (named.kind === 'unusable') return refused(source, named.message);
  return found(source, named, source === 'argument' ? 'project argument' : 'switch_project');
}

/** What asking for roots came to. */
export type RootsAnswer =
  | {
      readonly kind: 'roots';
      readonly uris: readonly string[];
      /** The client did not answer this time: these are the roots it told last. */
      readonly earlier?: boolean;
    }
  | { readonly kind: 'none'; readonly reason: string; readonly silence?: Silence | undefined };

/** Hears of each root that was passed over; `root` counts from 1. */
export type OnSkippedRoot = (root: number, reason: string) => void;

/** A client may say anything, and each root costs a look at the disk. */
const MAX_ROOTS = 100;

/** Source `roots`: the folders the client has open. The first that is a usable directory wins; all of them are the workspace. */
export function reportRoots(
  answer: RootsAnswer,
  rules: SourceRules,
  onSkipped: OnSkippedRoot = () => {},
): SourceReport {
  if (answer.kind === 'none') return nothing('roots', answer.reason, answer.silence);
  if (answer.uris.length === 0) return nothing('roots', 'the client has no folder open');
  const skipped: string[] = [];
  const usable: { readonly root: number; readonly named: NamedProject }[] = [];
  for (const [index, uri] of answer.uris.slice(0, MAX_ROOTS).entries()) {
    const path = parseFileUri(uri);
    const named =
      path === undefined
        ? ({ kind: 'unusable', message: 'not a file URI of this machine' } as const)
        : resolveAllowed(path, resolveOpenDirectory, rules);
    // To go on to the next root would answer from a folder that is not the one the user works in.
    if (named === 'forbidden' && usable.length === 0) return forbidden('roots', path ?? uri);
    if (named !== 'forbidden' && named.kind === 'project') {
      usable.push({ root: index + 1, named });
      continue;
    }
    const reason = named === 'forbidden' ? 'outside the folders this server allows' : named.message;
    skipped.push(`root ${index + 1}: ${reason}`);
    onSkipped(index + 1, reason);
  }
  const unseen = answer.uris.length - MAX_ROOTS;
  const [first] = usable;
  if (unseen > 0) skipped.push(`${unseen} more roots are not looked at`);
  if (first === undefined) return nothing('roots', skipped.join('; '));
  const earlier = answer.earlier === true ? ', as the client told earlier' : '';
  const limit = unseen > 0 ? `, of which ${MAX_ROOTS} are looked at` : '';
  const { inside } = first.named;
  const around = inside === undefined ? '' : `, ${inside}, which lies in this repository`;
  const via = `root ${first.root} of ${answer.uris.length}${limit}${earlier}${around}`;
  return { ...found('roots', first.named, via), workspace: toWorkspace(usable) };
}

function toWorkspace(usable: readonly { readonly named: NamedProject }[]): readonly Project[] {
  return [...new Map(usable.map(({ named }) => [named.project.root, named.project])).values()];
}

/** Codex sends this if the server declares the experimental capability of the same name. */
export const CODEX_META = 'codex/sandbox-state-meta';
/** Goose sends this with every call. */
export const GOOSE_META = 'agent-working-dir';

/** Source `client_meta`: the working directory that some clients send along with every call. */
export function reportClientMeta(
  meta: Readonly<Record<string, unknown>> | undefined,
  rules: SourceRules,
): SourceReport {
  const candidates = [
    { via: CODEX_META, path: readCodex(meta?.[CODEX_META]) },
    { via: GOOSE_META, path: toPath(meta?.[GOOSE_META]) },
  ];
  const skipped: string[] = [];
  for (const { via, path } of candidates) {
    if (path === undefined) continue;
    const named = resolveAllowed(path, resolveMarkedDirectory, rules);
    if (named === 'forbidden') return forbidden('client_meta', path);
    if (named.kind === 'project') return found('client_meta', named, via);
    skipped.push(`${via}: ${named.message}`);
  }
  return skipped.length > 0
    ? nothing('client_meta', skipped.join('; '))
    : nothing('client_meta', 'the client sent no working directory', 'not given');
}

function readCodex(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('sandboxCwd' in value)) return undefined;
  return toPath(value.sandboxCwd);
}

/** Both a plain path and a file URI are seen in the wild. */
function toPath(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  return /^file:/i.test(value) ? parseFileUri(value) : value;
}

/** Several values if the URL gives different ones. */
export type QueryPath = string | readonly string[];

export const PROJECT_PARAMETER = 'project_path';

/** The same, where it may also name a pushed project. */
export async function reportQuery(value: QueryPath | undefined, rules: SourceRules): Promise<SourceReport> {
  const pushed =
    typeof value === 'string' && !isAbsolute(value)
      ? await reportPushed('query_param', value, rules)
      : undefined;
  return pushed ?? reportQueryParam(value, rules);
}

/** Source `query_param`: the URL that the client was configured with. */
export function reportQueryParam(
  value: QueryPath | undefined,
  rules: Pick<SourceRules, 'places' | 'limit'>,
): SourceReport {
  if (value === undefined) return nothing('query_param', 'the URL names no project', 'not given');
  // Empty, or a variable that the client did not expand, is a relative path like any other: to go on without it would answer
  // from a project that the user did not name.
  if (typeof value !== 'string')
    return refused('query_param', `Project path is given more than once: ${value.join(', ')}`);
  const named = resolveAllowed(value, resolveNamedDirectory, rules);
  if (named === 'forbidden') return forbidden('query_param', value);
  if (named.kind === 'unusable') return refused('query_param', named.message);
  return found('query_param', named, `?${PROJECT_PARAMETER}=`);
}

/** From a `file:` URI to an absolute path, decoded exactly once. Everything but POSIX and Windows drive paths yields undefined. */
export function parseFileUri(uri: string): string | undefined {
  const match = /^file:\/\/([^/?#]*)(\/[^?#]*)$/i.exec(uri);
  if (match === null) return undefined;
  const [, host = '', encoded = ''] = match;
  if (host !== '' && host.toLowerCase() !== 'localhost') return undefined;
  const path = decodeOnce(encoded);
  // Two slashes at the start are another machine's share on some systems.
  if (path === undefined || path.includes('\0') || path.startsWith('//')) return undefined;
  const drive = /^\/([a-z]):(\/.*|$)/i.exec(path);
  if (drive === null) return path;
  return `${drive[1]?.toUpperCase()}:${(drive[2] === '' ? '/' : (drive[2] ?? '/')).replaceAll('/', '\\')}`;
}

/** Undefined if the text is not valid percent-encoding, or hides a separator or a NUL in it. */
function decodeOnce(encoded: string): string | undefined {
  // Programs disagree on what an encoded slash separates; no client sends one in good faith.
  if (/%(?:2f|5c|00)/i.test(encoded)) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
