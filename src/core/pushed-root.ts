/** How a project is called whose index was pushed: it lies on no disk of the server, so no path is its name. */
export interface PushedRoot {
  /** The normalised remote: `git.example/acme/shop`. */
  readonly identity: string;
  readonly branch: string;
  /** Whose uncommitted work lies over the branch, as a digest; undefined for the branch itself. */
  readonly head: string | undefined;
}

const MARK = 'pushed:';
const ROOT = /^pushed:([^@~\s]+)@([^~\s]+?)(?:~([0-9a-f]{16}))?$/;
const IDENTITY = /^[a-z0-9[][a-z0-9.:[\]_-]*(?:\/[\w.~+%-]+)+$/;
/** As git allows them, without what would be read as something else here. */
const BRANCH = /^(?![./])(?!.*(?:\.\.|\/\/|@\{))[^\s~^:?*[\\\p{Cc}]{1,200}(?<![./])$/u;

export function isPushedRoot(root: string): boolean {
  return root.startsWith(MARK);
}

export function renderPushedRoot({ identity, branch, head }: PushedRoot): string {
  return `${MARK}${identity}@${branch}${head === undefined ? '' : `~${head}`}`;
}

export function parsePushedRoot(root: string): PushedRoot | undefined {
  const [, identity, branch, head] = ROOT.exec(root) ?? [];
  return identity === undefined || branch === undefined ? undefined : { identity, branch, head };
}

export function isPushedIdentity(text: string): boolean {
  return text.length <= 500 && !text.includes('~') && IDENTITY.test(text);
}

export function isBranchName(text: string): boolean {
  return BRANCH.test(text);
}
