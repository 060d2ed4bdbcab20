/** The answers in the README are those that an agent gets. */
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { readmeAnswers, withAnswers } from '../support/readme-answers.ts';
import { BIN } from '../support/waymark.ts';

test('the README shows what an agent reads; npm run answers writes it', { timeout: 120_000 }, async () => {
  const page = readFileSync('README.md', 'utf8');

  const answers = await readmeAnswers(BIN, onTestFinished);

  expect(page.match(/<!-- answer: \w+ -->/g)).toHaveLength(answers.size);
  expect(withAnswers(page, answers)).toBe(page);
});
