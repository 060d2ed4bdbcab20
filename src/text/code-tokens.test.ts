import { readdirSync, readFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { estimateCodeTokens } from './shown-text.ts';

const FIXTURES = new URL('../../test/fixtures/languages/', import.meta.url);
const SAMPLES = [
  ...readdirSync(FIXTURES, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => [name, readFileSync(new URL(name, FIXTURES), 'utf8')] as const),
  ['short words', 'ab '.repeat(500)],
  ['figures', 'a1b2c3d4 '.repeat(200)],
  ['Japanese', '店からのご挨拶'.repeat(50)],
  ['signs', 'x = (a+b)*[c]{d}<e>;\n'.repeat(50)],
  ['packed data', `${'kQ3vZ8xT1nB7mW5rY9pL2sD6'.repeat(10)}\n`.repeat(5)],
] as const;

test.each(SAMPLES.filter(([, text]) => text.length > 200))(
  '%s: not below the truth, nor far above it',
  (_name, text) => {
    const ratio = estimateCodeTokens(text) / countTokens(text);

    expect(ratio).toBeGreaterThanOrEqual(0.98);
    expect(ratio).toBeLessThanOrEqual(1.8);
  },
);
