/** `npm run answers`: writes the answers that stand in the README and in the guides. `--program FILE` asks another build. */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PAGES, readmeAnswers, withAnswers } from './readme-answers.ts';
import { collectEnds } from './temp-folder.ts';

const { values } = parseArgs({ options: { program: { type: 'string', default: 'dist/main.js' } } });
const { onEnd, end } = collectEnds();
try {
  const { texts, pictures } = await readmeAnswers(resolve(values.program), onEnd);
  for (const page of PAGES) writeFileSync(page, withAnswers(readFileSync(page, 'utf8'), texts));
  for (const [path, picture] of pictures) writeFileSync(path, picture);
  for (const [name, answer] of texts) process.stdout.write(`--- ${name}\n${answer}\n`);
} finally {
  await end();
}
