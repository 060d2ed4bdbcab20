import {
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { openLogSink, type LogLimits } from './log-sink.ts';

function open(file: string, limits?: LogLimits) {
  const sink = openLogSink(file, { limits });
  onTestFinished(() => sink.close());
  return sink;
}

const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8);

test('a log that is a link, has a second name, or is a folder or a pipe is refused, and nothing behind it changes', () => {
  const folder = tempFolder({ 'mine.txt': 'mine', 'second.txt': 'second', 'sub/x': '' });
  symlinkSync(folder.join('mine.txt'), folder.join('link.log'));
  symlinkSync(folder.join('absent.txt'), folder.join('dangling.log'));
  linkSync(folder.join('second.txt'), folder.join('hard.log'));
  const before = modeOf(folder.join('mine.txt'));

  for (const name of ['link.log', 'dangling.log', 'hard.log', 'sub'])
    expect(() => open(folder.join(name))).toThrow('The log file cannot be opened');

  expect(readFileSync(folder.join('mine.txt'), 'utf8')).toBe('mine');
  expect(readFileSync(folder.join('second.txt'), 'utf8')).toBe('second');
  expect(modeOf(folder.join('mine.txt'))).toBe(before);
  expect(readdirSync(folder.path)).not.toContain('absent.txt');
});

test('a log is private, whatever it was before', () => {
  const folder = tempFolder({ 'old.log': 'old\n' });
  for (const name of ['old.log', 'new.log', 'deep/er/new.log']) {
    open(folder.join(name)).write('line');
    expect([name, modeOf(folder.join(name))]).toEqual([name, '600']);
  }
  expect(readFileSync(folder.join('old.log'), 'utf8')).toBe('old\nline\n');
});

test('a full log makes room: a bounded number of older ones stays, and no link in their place is written through', () => {
  const folder = tempFolder({ 'mine.txt': 'mine' });
  symlinkSync(folder.join('mine.txt'), folder.join('a.log.1'));
  const limits = { maxBytes: 100, kept: 2 };
  const one = open(folder.join('a.log'), limits);
  const two = open(folder.join('a.log'), limits);

  for (let line = 0; line < 60; line++) (line % 2 === 0 ? one : two).write(`line ${line}`);

  const names = readdirSync(folder.path).filter((name) => name !== 'mine.txt');
  expect(names.toSorted()).toEqual(['a.log', 'a.log.1', 'a.log.2']);
  const text = ['a.log.2', 'a.log.1', 'a.log'].map((name) => readFileSync(folder.join(name), 'utf8'));
  expect(text.every((part) => part.length <= 120)).toBe(true);
  // The two write into the same file, in order, whichever began it.
  const kept = text.join('').trim().split('\n');
  expect(kept).toEqual(Array.from(kept, (_, at) => `line ${60 - kept.length + at}`));
  expect(readFileSync(folder.join('mine.txt'), 'utf8')).toBe('mine');
});

test('while another process makes room no older log is pushed out; one that died in it holds up none for long', () => {
  const folder = tempFolder({ 'a.log.1': 'older\n' });
  const sink = open(folder.join('a.log'), { maxBytes: 20, kept: 2 });
  writeFileSync(folder.join('a.log.rotating'), '');

  for (let line = 0; line < 5; line++) sink.write(`line ${line}`);
  expect(readFileSync(folder.join('a.log.1'), 'utf8')).toBe('older\n');
  expect(readFileSync(folder.join('a.log'), 'utf8')).toContain('line 4');

  utimesSync(folder.join('a.log.rotating'), 1, 1);
  sink.write('line 5');
  expect(readdirSync(folder.path).toSorted()).toEqual(['a.log', 'a.log.1', 'a.log.2']);
  expect(readFileSync(folder.join('a.log'), 'utf8')).toBe('line 5\n');
});

test('a log that cannot be renamed begins anew, and one that cannot be written stops no work', () => {
  const folder = tempFolder({ 'a.log.1/in/the/way': '' });
  const sink = open(folder.join('a.log'), { maxBytes: 50, kept: 1 });
  for (let line = 0; line < 50; line++) sink.write(`line ${line}`);
  expect(statSync(folder.join('a.log')).size).toBeLessThan(70);
  expect(readFileSync(folder.join('a.log'), 'utf8')).toContain('line 49');

  const full = openLogSink('/dev/full');
  expect(() => full.write('line')).not.toThrow();
  full.close();
  expect(() => full.write('line')).not.toThrow();
});
