/** The answers in the README and the guides are those that an agent gets. */
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { PAGES, readmeAnswers, withAnswers } from '../support/readme-answers.ts';
import { BIN } from '../support/waymark.ts';

test(
  'the README and the guides show what an agent reads; npm run answers writes it',
  { timeout: 120_000 },
  async () => {
    const pages = PAGES.map((path) => readFileSync(path, 'utf8'));

    const { texts, pictures } = await readmeAnswers(BIN, onTestFinished);

    expect(pages.join('').match(/<!-- answer: \w+ -->/g)).toHaveLength(texts.size);
    expect(pages.map((page) => withAnswers(page, texts))).toEqual(pages);
    for (const [path, picture] of pictures) expect(readFileSync(path, 'utf8')).toBe(picture);
  },
);
