/** A short look at one small project; `npm run campaign:lines` takes 2,000 hits of real repositories. */
import { expect, test } from 'vitest';
import { checkLines } from '../campaigns/lines/lines-campaign.ts';
import { searchShop } from '../support/search-shop.ts';
import { BIN } from '../support/waymark.ts';

test('R129 every line in an answer is the line of that number in the file, with its indent', async () => {
  const key = ['AKIA', 'IOSFODNN7', 'QWERTYU'].join('');
  const project = searchShop();
  project.write({
    'src/odd.go': `package odd\r\n\r\nfunc Trailing() {   \r\n\t\treturn \t\r\n}\r\n`,
    'src/keys.ts': `export function readKey(): string {\n  return '${key}';\n}\n// \u001b[31mred name\n`,
    'src/wide.ts': `export const wideName = '${'value '.repeat(200)}';\n`,
  });

  const report = await checkLines({ bin: BIN, root: project.path, hits: 300, seed: 18 });

  expect(report.findings).toEqual([]);
  expect(report.hits).toBeGreaterThanOrEqual(300);
  expect(report.lines).toBeGreaterThan(500);
});
