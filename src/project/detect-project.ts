/** The detector as one function, for other programs: everything it may look at is handed in. */
import type { Detection } from '../core/index.ts';
import { createDetector, type DetectionRequest } from './detector.ts';
import type { Environment } from './identity.ts';

export interface DetectProjectInput extends Omit<DetectionRequest, 'roots' | 'knownRoots' | 'explain'> {
  /** The client's roots as file URIs, if it has told them. */
  readonly roots?: readonly string[];
  readonly env?: Environment;
  readonly cwd?: string;
  readonly projectFromCwd?: boolean;
  readonly allowProjectRoot?: readonly string[];
}

/**
 * Which project does a request belong to? Sources in order of trust: argument, switched, roots, client metadata, query
 * parameter, environment, working directory, PWD. The answer keeps what every source said.
 *
 * @example
 * const found = await detectProject({ transport: 'stdio', roots: ['file:///home/me/web-shop'], env: process.env });
 * if (found.kind === 'found') console.error(found.project.root, found.source);
 */
export async function detectProject(input: DetectProjectInput): Promise<Detection> {
  const { roots, env = {}, cwd, projectFromCwd = false, allowProjectRoot = [], ...request } = input;
  const detector = createDetector({
    environment: () => env,
    projectFromCwd,
    allowProjectRoot,
    cwd: () => cwd,
  });
  return detector.detect({
    ...request,
    explain: true,
    roots: roots === undefined ? undefined : async () => ({ kind: 'roots', uris: roots }),
  });
}
