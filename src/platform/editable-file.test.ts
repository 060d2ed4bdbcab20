import { expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { readEditable, replaceEditable } from './editable-file.ts';
import { systemIds } from './machine.ts';

test('a file below a file is not there, and cannot be written', () => {
  const folder = tempFolder({ home: 'a file' });
  const file = readEditable(folder.join('home/.client/settings.json'));

  expect(file.bytes).toBeUndefined();
  expect(() => replaceEditable(file, Buffer.from('x'), systemIds)).toThrow('cannot be written');
});

test('a name that the system does not take is an error of its own', () => {
  expect(() => readEditable(`/${'x'.repeat(300)}/a`)).toThrow('cannot be looked at');
});
