/** The grammars of the exact pass: what names them, and whether they are intact. */
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { packageFile, readBytesIfPresent } from '../../platform/index.ts';
import { GRAMMAR_FILES, type GrammarName } from './grammar-files.ts';

/** Increased whenever the same text would give other definitions or facts: rules, signatures, documentation. */
const RULES_VERSION = 6;
/** Names the grammars and our rules for them: what another one read is read again. */
export const PARSER_ID = `${RULES_VERSION} ${createHash('sha256').update(JSON.stringify(GRAMMAR_FILES)).digest('hex').slice(0, 8)}`;

/** The largest takes 5 MB. */
const MOST_BYTES = 32 * 1024 * 1024;

/** As its maker published it. It is packed in the package: a fifteenth of the size, for a millisecond or two. */
export function readGrammar(
  absFolder: string,
  name: GrammarName,
): Uint8Array | 'grammar missing' | 'grammar damaged' {
  const packed = readBytesIfPresent(`${absFolder}/${name}.wasm.gz`);
  if (packed === undefined) return 'grammar missing';
  try {
    const bytes = gunzipSync(packed, { maxOutputLength: MOST_BYTES });
    const sum = createHash('sha256').update(bytes).digest('hex');
    return sum === GRAMMAR_FILES[name].sha256 ? bytes : 'grammar damaged';
  } catch {
    return 'grammar damaged';
  }
}

export interface GrammarReport {
  readonly grammar: string;
  readonly state: 'ok' | 'missing' | 'damaged';
}

/** Reads every grammar: slow, for `waymark doctor`. */
export function reportGrammars(absFolder: string = packageFile('dist/grammars')): GrammarReport[] {
  // The table has no other keys.
  return (Object.keys(GRAMMAR_FILES) as GrammarName[]).map((grammar) => {
    const read = readGrammar(absFolder, grammar);
    if (typeof read !== 'string') return { grammar, state: 'ok' };
    return { grammar, state: read === 'grammar missing' ? 'missing' : 'damaged' };
  });
}
