/** A terminal as SVG, for a light and a dark page: what was typed and what the built program printed. */
const THEMES = {
  light: { page: '#f6f8fa', line: '#d1d9e0', text: '#1f2328', muted: '#59636e', typed: '#0969da' },
  dark: { page: '#151b23', line: '#3d444d', text: '#e6edf3', muted: '#9198a1', typed: '#4493f8' },
};
export type PictureTheme = keyof typeof THEMES;
export const PICTURE_THEMES = ['light', 'dark'] as const satisfies readonly PictureTheme[];

export interface Typed {
  readonly command: string;
  readonly printed: string;
}

const WIDTH = 860;
const LINE = 18;
const MARGIN = 18;
/** What fits with this font. */
const MOST_CHARS = 104;

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\t', '    ');

export function renderTerminal(screen: readonly Typed[], theme: PictureTheme): string {
  const colours = THEMES[theme];
  const rows = screen.flatMap(({ command, printed }, at) => [
    ...(at === 0 ? [] : [{ text: '', fill: colours.text, weight: '' }]),
    { text: `$ ${command}`, fill: colours.typed, weight: ' font-weight="600"' },
    ...printed
      .trimEnd()
      .split('\n')
      .map((text) => ({
        text: text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS - 1)}…` : text,
        fill: /^(?:\d|\s|$)/.test(text) ? colours.muted : colours.text,
        weight: '',
      })),
  ]);
  const height = rows.length * LINE + 2 * MARGIN;
  const lines = rows.map(
    ({ text, fill, weight }, at) =>
      `<text x="${MARGIN}" y="${MARGIN + 13 + at * LINE}" fill="${fill}"${weight} xml:space="preserve">${escape(text)}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13">`,
    `<title>${escape(screen.map(({ command }) => command).join(', '))}</title>`,
    `<rect x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8" fill="${colours.page}" stroke="${colours.line}"/>`,
    ...lines,
    '</svg>\n',
  ].join('\n');
}
