/** Asks every source that a call has and lets the chain decide. Holds no state: each call is evaluated afresh. */
import type { Detection, ProjectSource, SourceReport } from '../core/index.ts';
import { homeDirectory, workingDirectory } from '../platform/index.ts';
import { decideProject } from './chain.ts';
import { reportCwd, reportPwd, type Transport } from './sources/cwd.ts';
import { reportEnv } from './sources/env.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface DetectorOptions {
  /** Read on every call, so that a changed variable counts at once. */
  readonly environment: () => Environment;
  readonly projectFromCwd: boolean;
}

export interface DetectionRequest {
  readonly transport: Transport;
}

export interface Detector {
  detect(request: DetectionRequest): Detection;
}

export function createDetector(options: DetectorOptions): Detector {
  return {
    detect({ transport }) {
      const home = homeDirectory();
      const env = options.environment();
      const cwd = workingDirectory();
      return decideProject([
        ask('env', () => reportEnv(env, home)),
        ask('cwd', () => reportCwd({ cwd, projectFromCwd: options.projectFromCwd, transport, home })),
        ask('pwd', () => reportPwd(env, transport, home)),
      ]);
    },
  };
}

/** A source that breaks says nothing; it never breaks the call. */
function ask(source: ProjectSource, report: () => SourceReport): SourceReport {
  try {
    return report();
  } catch {
    return { kind: 'nothing', source, reason: 'this source failed' };
  }
}
