/** The grammars of the exact pass: what names them, and whether they are intact. */
import { createHash } from 'node:crypto';
import { packageFile, readBytesIfPresent } from '../../platform/index.ts';
import { GRAMMAR_FILES } from './grammar-files.ts';

/** Increased whenever the same text would give other definitions or facts: rules, signatures, documentation. */
const RULES_VERSION = 6;
/** Names the grammars and our rules for them: what another one read is read again. */
export const PARSER_ID = `${RULES_VERSION} ${createHash('sha256').update(JSON.stringify(GRAMMAR_FILES)).digest('hex').slice(0, 8)}`;

export interface GrammarReport {
  readonly grammar: string;
  readonly state: 'ok' | 'missing' | 'damaged';
}

/** Reads every grammar: slow, for `waymark doctor`. */
export function reportGrammars(absFolder: string = packageFile('dist/grammars')): GrammarReport[] {
  return Object.entries(GRAMMAR_FILES).map(([grammar, { sha256 }]) => {
    const bytes = readBytesIfPresent(`${absFolder}/${grammar}.wasm`);
    if (bytes === undefined) return { grammar, state: 'missing' };
    const sum = createHash('sha256').update(bytes).digest('hex');
    return { grammar, state: sum === sha256 ? 'ok' : 'damaged' };
  });
}
