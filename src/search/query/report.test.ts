import { describe, expect, test } from 'vitest';
import { readReport } from './report.ts';

const REPORT = `Cart total is wrong when \`applyDiscount\` gets 0
<!-- Please fill in this form.
     import { template } from 'x' -->
### Description
- [x] I searched for existing issues

Since 2.1 the total is off, see https://example.com/me/shop/blob/main/src/cart/total.ts#L12
and \`Cart.total\`. The message is "discount must be positive".

\`\`\`ts
import { Cart } from 'shop/cart';
new Cart().applyDiscount(0);
\`\`\`

Traceback (most recent call last):
  File "/usr/lib/shop/pricing.py", line 3, in price
ValueError: unknown currency code given
    at Cart.total (/app/src/cart/cart.ts:15:9)
`;

test.each([
  [
    'Traceback (most recent call last):\n  File "a.py", line 3, in f\nValueError: no such item',
    'ValueError: no such item',
  ],
  [
    '2024-01-02 10:00:00 started\n2024-01-02 10:00:01 Error: no room left',
    '2024-01-02 10:00:01 Error: no room left',
  ],
  ['  at f (a.js:1:2)\n  at g (b.js:3:4)', 'at f (a.js:1:2)'],
])('a pasted trace or log is about the error it ends with', (text, title) => {
  expect(readReport(text).title).toBe(title);
});

test('a comment that does not end is text', () => {
  expect(readReport('a <!-- b\ncart is wrong').prose).toContain('cart is wrong');
});

describe('a report', () => {
  const report = readReport(REPORT);

  test('has its first line as its title', () => {
    expect(report.title).toBe('Cart total is wrong when `applyDiscount` gets 0');
    expect(report.marked).toEqual(['applyDiscount', 'Cart.total']);
  });

  test('has the lines that a link to code points at', () => {
    expect(report.links).toEqual([{ path: 'src/cart/total.ts', startLine: 12, endLine: 12 }]);
    expect(readReport('x\nhttps://example.com/a/b/blame/v1/Src/A.ts#L3-L9').links).toEqual([
      { path: 'src/a.ts', startLine: 3, endLine: 9 },
    ]);
  });

  test('is told from what a template asked for', () => {
    expect(report.prose).toContain('Since 2.1 the total is off');
    expect(report.prose).not.toMatch(/fill in|template|Description|existing issues|https/);
  });

  test('has code and traces apart', () => {
    expect(report.code).toBe("import { Cart } from 'shop/cart';\nnew Cart().applyDiscount(0);");
    expect(report.traces).toContain('File "/usr/lib/shop/pricing.py"');
    expect(report.traces).toContain('at Cart.total');
  });

  test('quotes messages', () => {
    expect(report.messages).toEqual(
      expect.arrayContaining(['discount must be positive', 'unknown currency code given']),
    );
  });

  test.each([
    ['src/cart/total.ts', 'path'],
    ['usr/lib/shop/pricing.py', 'frame'],
    ['app/src/cart/cart.ts', 'frame'],
    ['cart/total', 'module'],
  ])('names %s by a %s', (path, by) => {
    expect(report.mentions).toContainEqual({ parts: path.split('/'), by });
  });
});

test.each([
  ['nothing', ''],
  ['a fence that never ends', 'Title\n```\ncode'],
  ['a comment that never ends', 'Title\n<!-- x'],
  ['one long line', 'a.b/'.repeat(20_000)],
  ['many quotes', '"a '.repeat(20_000)],
])('%s is read in no time', (_, text) => {
  const started = process.cpuUsage();

  readReport(text);

  // Processor time: what else the machine does is no fault of the text.
  expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
});
