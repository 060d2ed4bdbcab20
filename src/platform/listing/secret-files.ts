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

const PRIVATE_KEY = /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[._-].*)?$/;
const NAMED_KEY_FILE = /^(?:client[_-]secret|service[_-]?account).*\.json$/;
/** Written to be shown. */
const EXAMPLE = /(?:^|[._-])(?:example|sample|template|tmpl|dist|default|defaults|schema)(?:[._-]|$)/;

/** What makes this file a secret one, or undefined. `path` has forward slashes. */
export function secretFileKind(path: string): string | undefined {
  const parts = path.toLowerCase().split('/');
  const name = parts.at(-1) ?? '';
  if (isNamed(parts.at(-2) ?? '', name)) return 'credentials';
  if (PRIVATE_KEY.test(name)) return name.endsWith('.pub') ? undefined : 'private key';
  if (EXAMPLE.test(name)) return undefined;
  if (name.startsWith('.env.') || EXACT.has(name)) return 'credentials';
  if (NAMED_KEY_FILE.test(name)) return 'credentials';
  const extension = name.slice(name.lastIndexOf('.') + 1);
  if (name.includes('.') && EXTENSIONS.has(extension)) return `.${extension} file`;
  return /\.tfstate\.backup$|\.tfvars\.json$/.test(name) ? 'credentials' : undefined;
}

function isNamed(folder: string, name: string): boolean {
  return IN_FOLDER.get(folder)?.has(name) === true;
}
