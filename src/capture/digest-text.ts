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

/** Of what is told in lists, all that was read before stays; what is open, and what it came to, is what the end says. */
const KEPT = ['Decided', 'Done', 'Failed and mended', 'Files'];
const MOST_KEPT_LINES = 60;

/** The text of the end of a session with that of what was read of it before. */
export function withEarlier(earlier: string, end: string): string {
  const [before, now] = [sectionsOf(earlier), sectionsOf(end)];
  return TITLES.flatMap((title) => {
    const [old = [], latest = []] = [before.get(title), now.get(title)];
    const lines =
      title === 'Asked' && old.length > 0
        ? old
        : KEPT.includes(title)
          ? [...new Set([...old, ...latest])].slice(-MOST_KEPT_LINES)
          : latest;
    return lines.length === 0 ? [] : [`## ${title}\n${lines.join('\n')}`];
  }).join('\n\n');
}

function sectionsOf(text: string): ReadonlyMap<string, readonly string[]> {
  const parts = text.split(
    /^## (?=(?:Asked|Came to|Decided|Said before edits|Done|Open|Failed and mended|Files)$)/m,
  );
  return new Map(
    parts.slice(1).map((part) => {
      const [title = '', ...lines] = part.trimEnd().split('\n');
      return [title, lines];
    }),
  );
}

const TITLES = [
  'Asked',
  'Came to',
  'Decided',
  'Said before edits',
  'Done',
  'Open',
  'Failed and mended',
  'Files',
];

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
