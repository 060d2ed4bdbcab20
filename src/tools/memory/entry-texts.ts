/** What is shown of an entry that was found, by its kind; the longest text comes last. */
import type { Recalled } from '../../memory/index.ts';
import { shownFiles } from './memory-values.ts';
import type { NamedText } from '../render-memory.ts';

type Entry = Recalled['entry'];

const MOST_ERROR_CHARS = 300;
const MOST_SIDE_CHARS = 1_500;

export function textsOf(entry: Entry): readonly NamedText[] {
  const { content, summary, tags, fields, files, kind } = entry;
  const tagged: NamedText = ['tags', tags.join(', ')];
  switch (kind) {
    case 'checkpoint':
      return [tagged, ['files', shownFiles(files).join(', ')], ['', summary]];
    case 'remediation': {
      // A message is recognised by its beginning; the stack it came with is no help to a reader.
      const { error = '', cause = '', context = '' } = fields;
      return [
        ['error', beginning(error, MOST_ERROR_CHARS)],
        ['root cause', beginning(cause, MOST_SIDE_CHARS)],
        ['context', beginning(context, MOST_SIDE_CHARS)],
        tagged,
        ['files', shownFiles(files).join(', ')],
        ['fix', content],
      ];
    }
    case 'skill':
      return [['when', fields['when'] ?? ''], tagged, ['', content]];
    case 'fact':
      return [tagged, ['', content]];
    case 'guide':
    case 'collection':
      return [['', content]];
  }
}

function beginning(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}
