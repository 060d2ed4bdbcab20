/** Is this entry listed, and if not, why? Decided from names and rules alone; nothing is opened. */
import type { SkipReason } from '../../core/index.ts';
import { findGlob, mayMatchInside, namesFolder } from '../ignore/globs.ts';
import { findRule, renderRule, type RuleReference } from '../ignore/scope.ts';
import { foldAscii, type Subject, toByteText } from '../ignore/pattern.ts';
import {
  BINARY_EXTENSIONS,
  EXCLUDED_FOLDER_AFFIXES,
  EXCLUDED_FOLDERS,
  GENERATED_ENDINGS,
  LOCK_FILES,
  MINIFIED_ENDINGS,
  TELLING_ENTRIES,
  VERSION_CONTROL,
  WITNESSED_FOLDERS,
} from './default-excludes.ts';
import type { Entry, Folder } from './folder.ts';
import type { ListContext } from './list-options.ts';

export type Judgement =
  | {
      readonly kind: 'take';
      /** What is left out by default was asked for. */
      readonly isAskedFor: boolean;
      readonly isIncluded: boolean;
      /** The rule that kept it. */
      readonly rule: RuleReference | undefined;
    }
  | {
      readonly kind: 'skip';
      readonly reason: SkipReason;
      readonly detail: string | undefined;
      readonly rule: RuleReference | undefined;
      /** What stands for its name, where that must not be said. */
      readonly saidName?: string;
    };

export function judgeEntry(context: ListContext, folder: Folder, entry: Entry): Judgement {
  const saidName = context.nameWithoutSecret?.(entry.name);
  if (saidName !== undefined) return { ...skip('secret_file', 'its name holds a secret'), saidName };
  if (entry.isUndecodable) return skip('undecodable_name', 'not UTF-8');
  if (entry.kind === 'link') return skip('symlink', undefined);
  if (entry.kind === 'other') return skip('not_regular', undefined);
  if (VERSION_CONTROL.has(entry.name)) return skip('excluded_by_default', 'version control');
  const subject = toSubject(context, folder, entry);
  const above = context.outside.prefix.length;
  const inProject = above === 0 ? subject : { ...subject, path: subject.path.slice(above) };
  const excluded = findGlob(context.exclude, inProject, context.budget);
  if (excluded !== undefined) return skip('excluded_by_config', `exclude ${excluded.written}`);
  const rule = findRule(folder.scope, subject, context.budget);
  if (rule?.negated === false) return { ...skip('ignored', renderRule(rule)), rule };
  return entry.kind === 'folder'
    ? judgeFolder(context, { folder, entry, subject: inProject, rule })
    : judgeFile(context, { folder, entry, subject: inProject, rule });
}

/** The path that a skip is kept and shown by. */
export function skippedPath(
  folder: Folder,
  entry: Entry,
  { saidName = entry.name }: Extract<Judgement, { kind: 'skip' }>,
): string {
  return `${folder.path}${saidName}${entry.kind === 'folder' ? '/' : ''}`;
}

interface Judged {
  readonly folder: Folder;
  readonly entry: Entry;
  readonly subject: Subject;
  readonly rule: RuleReference | undefined;
}

function judgeFolder(context: ListContext, { folder, entry, subject, rule }: Judged): Judgement {
  const { include, budget } = context;
  const isAskedFor = rule?.isOurs === true || namesFolder(include, subject, budget);
  const why = isAskedFor ? undefined : defaultExclude(entry.name, folder.entries);
  if (why !== undefined) return skip('excluded_by_default', why);
  const isIncluded = folder.isIncluded || findGlob(include, subject, budget) !== undefined;
  if (!isIncluded && !mayMatchInside(include, subject.path)) {
    return skip('not_included', 'no include glob leads here');
  }
  if (folder.depth >= context.maxDepth) {
    return skip('excluded_by_default', `more than ${context.maxDepth} folders deep`);
  }
  return { kind: 'take', isAskedFor, isIncluded, rule };
}

function judgeFile(context: ListContext, { folder, entry, subject, rule }: Judged): Judgement {
  const secret = secretFileKind(entry.name, folder.path);
  if (secret !== undefined) return skip('secret_file', secret);
  const isAskedFor = rule?.isOurs === true;
  const known = isAskedFor ? undefined : classifyName(entry.name);
  if (known !== undefined) return skip(known.reason, known.detail);
  if (!folder.isIncluded && findGlob(context.include, subject, context.budget) === undefined) {
    return skip('not_included', 'matches no include glob');
  }
  const language = context.otherLanguage?.(entry.name);
  if (language !== undefined) return skip('other_language', language);
  return { kind: 'take', isAskedFor, isIncluded: true, rule };
}

/** Why a folder of this name, beside these entries, is left out. */
function defaultExclude(name: string, beside: readonly Entry[]): string | undefined {
  const known =
    EXCLUDED_FOLDERS.get(name) ??
    EXCLUDED_FOLDER_AFFIXES.find(({ prefix, suffix }) => name.startsWith(prefix) && name.endsWith(suffix))
      ?.why;
  if (known !== undefined) return known;
  const witnesses = WITNESSED_FOLDERS.get(name);
  const witness = witnesses?.beside.find((wanted) =>
    beside.some((entry) =>
      wanted.startsWith('*') ? entry.name.endsWith(wanted.slice(1)) : entry.name === wanted,
    ),
  );
  return witness === undefined ? undefined : `${witnesses?.why ?? ''}: beside ${witness}`;
}

/** Why a folder with these entries is left out, although its name and its neighbours did not say so. */
export function judgeInside(name: string, entries: readonly Entry[]): string | undefined {
  const witnesses = WITNESSED_FOLDERS.get(name);
  for (const entry of entries) {
    const why = TELLING_ENTRIES.get(entry.name);
    if (why !== undefined) return `${why}: holds ${entry.name}`;
    if (witnesses?.inside.includes(entry.name) === true) return `${witnesses.why}: holds ${entry.name}`;
  }
  return undefined;
}

function toSubject({ outside }: ListContext, folder: Folder, entry: Entry): Subject {
  const bytes = toByteText(entry.name);
  const name = outside.fold ? foldAscii(bytes) : bytes;
  return { path: folder.rulePath + name, name, isFolder: entry.kind === 'folder' };
}

function skip(reason: SkipReason, detail: string | undefined): Extract<Judgement, { kind: 'skip' }> {
  return { kind: 'skip', reason, detail, rule: undefined };
}

export interface Classified {
  readonly reason: SkipReason;
  readonly detail: string;
}

/** By a name's last extension, so that most names are compared with nothing. */
const ENDINGS: ReadonlyMap<string, readonly (Classified & { readonly ending: string })[]> = groupEndings();

/** Undefined: nothing speaks against it. */
export function classifyName(written: string): Classified | undefined {
  const name = written.toLowerCase();
  if (LOCK_FILES.has(name)) return { reason: 'lock_file', detail: name };
  const dot = name.lastIndexOf('.');
  if (dot <= 0) return undefined;
  const extension = name.slice(dot + 1);
  if (BINARY_EXTENSIONS.has(extension)) return { reason: 'binary', detail: `.${extension} file` };
  const found = ENDINGS.get(extension)?.find(({ ending }) => name.endsWith(ending));
  return found === undefined ? undefined : { reason: found.reason, detail: found.detail };
}

function groupEndings(): Map<string, (Classified & { ending: string })[]> {
  const groups = new Map<string, (Classified & { ending: string })[]>();
  const add = (reason: SkipReason, ending: string): void => {
    const extension = ending.slice(ending.lastIndexOf('.') + 1);
    const group = groups.get(extension) ?? [];
    group.push({ reason, ending, detail: `name ends with ${ending}` });
    groups.set(extension, group);
  };
  for (const ending of MINIFIED_ENDINGS) add('minified', ending);
  for (const ending of GENERATED_ENDINGS) add('generated', ending);
  return groups;
}

const EXACT: ReadonlySet<string> = new Set([
  '.env',
  '.envrc',
  '.npmrc',
  '.pypirc',
  '.netrc',
  '_netrc',
  '.git-credentials',
  '.htpasswd',
  '.pgpass',
  '.my.cnf',
  '.dockercfg',
  '.dockerconfigjson',
  '.vault-token',
  '.boto',
  '.s3cfg',
  '.terraformrc',
  'terraform.rc',
  'kubeconfig',
  'credentials.json',
  'credentials.yml.enc',
  'application_default_credentials.json',
  '.yarnrc.auth.yml',
]);

const EXTENSIONS: ReadonlySet<string> = new Set([
  'env',
  'pem',
  'key',
  'p8',
  'p12',
  'pfx',
  'jks',
  'keystore',
  'bks',
  'ppk',
  'kdbx',
  'kdb',
  'gpg',
  'pgp',
  'agekey',
  'tfstate',
  'tfvars',
  'mobileprovision',
  'ovpn',
]);

/** In a folder of this name, files of these names. */
const IN_FOLDER: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['.aws', new Set(['credentials', 'config'])],
  ['.docker', new Set(['config.json'])],
  ['.kube', new Set(['config'])],
  ['.gcloud', new Set(['credentials.db', 'access_tokens.db'])],
]);

/** Nearly no file has one of these: the folders need not be asked. */
const NAMES_IN_FOLDERS: ReadonlySet<string> = new Set([...IN_FOLDER.values()].flatMap((names) => [...names]));

const PRIVATE_KEY = /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[._-].*)?$/;
const NAMED_KEY_FILE = /^(?:client[_-]secret|service[_-]?account).*\.json$/;
/** Written to be shown. */
const EXAMPLE = /(?:^|[._-])(?:example|sample|template|tmpl|dist|default|defaults|schema)(?:[._-]|$)/;

/**
 * What makes a file a secret as a whole, by its name. Such files are never listed, and nothing in a repository can change that.
 * `folder` is its path with a slash at its end.
 */
export function secretFileKind(written: string, folder: string): string | undefined {
  const name = written.toLowerCase();
  if (isInFolderOfSecrets(name, folder)) return 'credentials';
  const kind = kindByName(name);
  return kind !== undefined && EXAMPLE.test(name) ? undefined : kind;
}

function kindByName(name: string): string | undefined {
  if (name.startsWith('id_') && PRIVATE_KEY.test(name)) {
    return name.endsWith('.pub') ? undefined : 'private key';
  }
  if (name.startsWith('.env.') || EXACT.has(name)) return 'credentials';
  const dot = name.lastIndexOf('.');
  const extension = name.slice(dot + 1);
  if (dot !== -1 && EXTENSIONS.has(extension)) return `.${extension} file`;
  if (extension === 'json' && NAMED_KEY_FILE.test(name)) return 'credentials';
  return name.endsWith('.tfstate.backup') || name.endsWith('.tfvars.json') ? 'credentials' : undefined;
}

function isInFolderOfSecrets(name: string, folder: string): boolean {
  if (!NAMES_IN_FOLDERS.has(name)) return false;
  for (const [parent, names] of IN_FOLDER) {
    if (names.has(name) && (folder === `${parent}/` || folder.endsWith(`/${parent}/`))) return true;
  }
  return false;
}
