/** Sources `argument` and `switched`: a project that was named outright, by path or by the name of a known one. */
import { isAbsolute } from 'node:path';
import type { ProjectSource, SourceReport } from '../../core/index.ts';
import { resolveNamedDirectory } from '../identity.ts';
import { forbidden, found, isThere, refused, resolveAllowed, type SourceRules } from './report.ts';

/** Roots of the known projects with this name, most recently used first. */
export type FindByName = (name: string) => Promise<readonly string[]>;

export async function reportNamed(
  source: Extract<ProjectSource, 'argument' | 'switched'>,
  text: string,
  rules: SourceRules,
  findByName: FindByName,
): Promise<SourceReport> {
  if (isAbsolute(text)) return reportPath(source, text, rules);
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

function reportPath(source: ProjectSource, path: string, rules: SourceRules): SourceReport {
  const named = resolveAllowed(path, resolveNamedDirectory, rules);
  if (named === 'forbidden') return forbidden(source, path);
  if (named.kind === 'unusable') return refused(source, named.message);
  return found(source, named, source === 'argument' ? 'project argument' : 'switch_project');
}
