/** Files that are secrets as a whole, by name. They are never listed, and nothing in a repository can change that. */

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

/** What makes this file a secret one, or undefined. `folder` is its path with a slash at its end. */
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
