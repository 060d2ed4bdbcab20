/** Source `client_meta`: the working directory that some clients send along with every call. */
import type { SourceReport } from '../../core/index.ts';
import { parseFileUri } from '../file-uri.ts';
import { resolveMarkedDirectory } from '../identity.ts';
import { forbidden, found, nothing, resolveAllowed, type SourceRules } from './report.ts';

/** Codex sends this if the server declares the experimental capability of the same name. */
export const CODEX_META = 'codex/sandbox-state-meta';
/** Goose sends this with every call. */
export const GOOSE_META = 'agent-working-dir';

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
