/** The URIs in a client's list of roots, whatever else is in it. */
import type { RootsAnswer } from '../project/index.ts';

/**
 * Looser than the SDK's own schema, which throws every root away because of one that is malformed. Such a one keeps its
 * place as an empty text, which is no file URI, so that it is passed over like any other that cannot be used.
 */
export function readRootUris(roots: readonly unknown[]): readonly string[] {
  return roots.map((root) => {
    const uri: unknown = typeof root === 'object' && root !== null ? Reflect.get(root, 'uri') : undefined;
    return typeof uri === 'string' ? uri : '';
  });
}

/** What a client comes to that declares no roots. */
export const NO_ROOTS: RootsAnswer = {
  kind: 'none',
  reason: 'the client declares no roots',
  silence: 'not given',
};
