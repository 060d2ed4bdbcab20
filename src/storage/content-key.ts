/** What a file's rows are known by: all that they are made of. The same on every machine. */
import { createHash } from 'node:crypto';

export interface ContentParts {
  readonly path: string;
  readonly hash: string;
  readonly analysis: string;
  /** Undefined for a file that was not parsed. */
  readonly parser: string | undefined;
  readonly failure: string | undefined;
}

export function contentKey({ path, hash, analysis, parser, failure }: ContentParts): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([path, hash, analysis, parser ?? '', failure ?? '']))
    .digest();
}
