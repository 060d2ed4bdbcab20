import { expect, test } from 'vitest';
import type { Definition } from '../../core/index.ts';
import { TextLines } from '../../text/index.ts';
import { readReportQuestion, type Question, type ReportQuestion } from '../query/question.ts';
import { createLineWords } from '../show/snippet.ts';
import { DEFINITION_COLUMN, type DefinitionFeature } from './definition-features.ts';
import { measureDefinitions, type FileToRead } from './definitions.ts';

const CODE = `import x from 'x';
class Cart {
  add(id) {
    throw new Error("no such item in the cart");
  }
  total() {
    return 1;
  }
}`;

const define = (
  name: string,
  kind: Definition['kind'],
  [startLine, endLine]: readonly [number, number],
): Definition => ({
  name,
  kind,
  startLine,
  endLine,
  container: kind === 'method' ? 'Cart' : undefined,
  signature: name,
  doc: undefined,
});

function ask(text: string): { readonly question: Question; readonly report: ReportQuestion } {
  const question = readReportQuestion(text);
  if (question.report === undefined) throw new Error('A report has its parts.');
  return { question, report: question.report };
}

function fileOf(code: string, question: Question): FileToRead {
  const lines = new TextLines(code);
  return {
    path: 'src/cart.ts',
    score: 1,
    isSource: true,
    definitions:
      code === CODE
        ? [
            define('Cart', 'class', [2, 9]),
            define('add', 'method', [3, 5]),
            define('total', 'method', [6, 8]),
          ]
        : [],
    lineCount: lines.length,
    words: createLineWords(question, () => 1).pairsIn(lines),
    lineAt: (line) => lines.at(line),
    titleNear: () => 0,
  };
}

function measure(text: string): (name: string, feature: DefinitionFeature) => number | undefined {
  const { question, report } = ask(text);
  const rows = measureDefinitions([fileOf(CODE, question)], { ...question, report });
  return (name, feature) =>
    rows.find(({ own }) => (own.definition?.name ?? '') === name)?.features[DEFINITION_COLUMN[feature]];
}

test('a method is named, not what it belongs to, where the text names both', () => {
  const both = measure('Wrong sum\nsee `Cart.total`');
  const head = measure('Wrong sum\nsee `Cart`');

  expect([both('total', 'named'), both('Cart', 'named'), both('add', 'named')]).toEqual([1, 0, 0]);
  expect(head('Cart', 'named')).toBe(1);
});

test('a message is where its literal is spelled', () => {
  const of = measure('It fails\nError: no such item in the cart\nat line 1');

  expect([of('add', 'literal'), of('total', 'literal')]).toEqual([1, 0]);
});

test('a file that spells a message comes before one that matches a little better', () => {
  const { question, report } = ask('It fails\nError: no such item in the cart\nat line 1');
  const other = fileOf('x'.repeat(20), question);

  const rows = measureDefinitions([{ ...other, score: 1.5 }, fileOf(CODE, question)], {
    ...question,
    report,
  });

  const [worse = 0, better = 0] = [0, 1].map(
    (at) => rows.find(({ file }) => file === at)?.features[DEFINITION_COLUMN.fileScore],
  );
  expect(better).toBeGreaterThan(worse);
});

test('a link points at the lines of one definition', () => {
  const of = measure('Look here\nhttps://example.com/a/b/blob/main/src/cart.ts#L7');

  expect([of('add', 'linked'), of('total', 'linked'), of('Cart', 'linked')]).toEqual([0, 1, 1]);
});

test('lines outside of any definition are a place of their own', () => {
  const of = measure('Import of x\nbreaks');

  expect([of('', 'isRest'), of('Cart', 'isRest'), of('Cart', 'isType'), of('add', 'isCallable')]).toEqual([
    1, 0, 1, 1,
  ]);
});
