/** Which languages the exact pass can read, and whether the grammars for them are there. */
import { createHash } from 'node:crypto';
import { packageFile, readBytesIfPresent } from '../platform/index.ts';
import { GRAMMAR_FILES } from './grammar-files.ts';
import { HOLDS_SCRIPTS } from './read-scripts.ts';
import { isGrammarLanguage } from './rules/index.ts';

export function isParsable(language: string): boolean {
  return isGrammarLanguage(language) || HOLDS_SCRIPTS.has(language);
}

export interface GrammarReport {
  readonly grammar: string;
  readonly state: 'ok' | 'missing' | 'damaged';
}

/** Reads every grammar, so it is for a doctor, not for a start. */
export function reportGrammars(absFolder: string = packageFile('dist/grammars')): GrammarReport[] {
  return Object.entries(GRAMMAR_FILES).map(([grammar, { sha256 }]) => {
    const bytes = readBytesIfPresent(`${absFolder}/${grammar}.wasm`);
    if (bytes === undefined) return { grammar, state: 'missing' };
    const sum = createHash('sha256').update(bytes).digest('hex');
    return { grammar, state: sum === sha256 ? 'ok' : 'damaged' };
  });
}
