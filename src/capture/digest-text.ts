/** A digest as the text of a checkpoint, and of a fix. */
import type { Mended, SessionDigest } from './digest-session.ts';

const MOST_LINE_CHARS = 300;

export function toCheckpointText(digest: SessionDigest): string {
  const { asked, decisions, reasons, done, open, paths, mended, failing, conclusion } = digest;
  return [
    section('Asked', asked === '' ? [] : [asked]),
    section('Came to', conclusion === '' ? [] : [conclusion], ''),
    section('Decided', decisions),
    section('Said before edits', reasons),
    section('Done', done),
    section('Open', [
      ...open,
      ...failing.map(({ command, error }) => `\`${command}\` failed at the end: ${firstLine(error)}`),
    ]),
    section(
      'Failed and mended',
      mended.map(
        ({ command, error, paths: changed }) =>
          `\`${command}\`: ${firstLine(error)}${changed.length === 0 ? '' : ` (${changed.join(', ')})`}`,
      ),
    ),
    section('Files', paths),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

/** What ended an error, as far as a transcript tells. */
export function toFixText({ command, paths, commands, said }: Mended): string {
  return [
    said,
    ...(paths.length === 0 ? [] : [`Edited: ${paths.join(', ')}.`]),
    ...(commands.length === 0 ? [] : [`Ran: ${commands.map((one) => `\`${one}\``).join(', ')}.`]),
    `Then \`${command}\` succeeded.`,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function section(title: string, lines: readonly string[], mark = '- '): string {
  if (lines.length === 0) return '';
  const written = lines.map((line) => `${mark}${mark === '' ? line : oneLine(line)}`);
  return `## ${title}\n${written.join('\n')}`;
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= MOST_LINE_CHARS ? line : `${line.slice(0, MOST_LINE_CHARS - 1)}…`;
}

function firstLine(text: string): string {
  return (
    text
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ?? 'no message'
  );
}
