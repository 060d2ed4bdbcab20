/** What V8 has compiled of our modules, kept by Node from one start to the next. */
import * as nodeModule from 'node:module';
import { dirname } from 'node:path';
import { ensurePrivateDir, isPrivateDir } from './private-files.ts';
import { pathExists } from './machine.ts';

/** Node 22.1 and newer have it; the types are those of Node 20. */
interface CompileCache {
  readonly enableCompileCache?: (absFolder: string) => unknown;
}

/**
 * Modules that are loaded from now on come from Node's compile cache in this folder; what is missing there is written when the
 * process ends. Node compares version, flags, source and checksum. A folder that another user could write to is left alone, because
 * what is in it is run. Nothing is written before there is a folder around it, which the first index makes. The cache only saves time,
 * so a failure here changes nothing.
 */
export function keepCompiledCode(absFolder: string, node: CompileCache = Object(nodeModule)): void {
  if (node.enableCompileCache === undefined || !pathExists(dirname(absFolder))) return;
  try {
    ensurePrivateDir(absFolder);
    if (isPrivateDir(absFolder)) node.enableCompileCache(absFolder);
  } catch {
    // No room or no permission: Node compiles as it does without a cache.
  }
}
