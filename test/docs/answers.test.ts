/** The answers in the README are those that an agent gets. */
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { readmeAnswers, withAnswers } from '../support/readme-answers.ts';
import { BIN } from '../support/waymark.ts';

test('the README shows what an agent reads; npm run answers writes it', { timeout: 120_000 }, async () => {
  const page = readFileSync('README.md', 'utf8');

  const { texts, pictures } = await readmeAnswers(BIN, onTestFinished);

  expect(page.match(/<!-- answer: \w+ -->/g)).toHaveLength(texts.size);
  expect(withAnswers(page, texts)).toBe(page);
  for (const [path, picture] of pictures) expect(readFileSync(path, 'utf8')).toBe(picture);
});
