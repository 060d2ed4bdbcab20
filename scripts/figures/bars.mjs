/** Bar charts as SVG, for a light and a dark page. The same input gives the same bytes. */

/**
 * @typedef {object} Bar
 * @property {string} label
 * @property {number} value
 * @property {string} shown  The value as it is written.
 * @property {'own' | 'measured' | 'published'} kind  Ours; another one in the same run; what its authors say.
 */

/**
 * @typedef {object} Panel
 * @property {string} heading
 * @property {readonly Bar[]} bars
 */

/**
 * @typedef {object} Chart
 * @property {string} title
 * @property {readonly Panel[]} panels
 * @property {readonly string[]} notes
 */

const WIDTH = 860;
const LABELS = 312;
const VALUES = 96;
const BAR = 16;
const ROW = 24;
const MARGIN = 16;
const FONT = "font-family='ui-sans-serif, system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif'";

/** Text stands out from both pages by 4.5 : 1 or more. */
const THEMES = {
  light: { text: '#1f2328', muted: '#59636e', own: '#0969da', measured: '#6e7781', published: '#b3bac2' },
  dark: { text: '#e6edf3', muted: '#9198a1', own: '#4493f8', measured: '#7d8590', published: '#4c535b' },
};
/** @typedef {keyof typeof THEMES} Theme */

const KINDS = { own: 'Waymark', measured: 'measured in the same run', published: 'published by its authors' };

/** @param {string} text */
const escape = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** @param {Chart} chart @param {Theme} theme */
export function renderBars({ title, panels, notes }, theme) {
  const colours = THEMES[theme];
  /** @type {string[]} */
  const parts = [];
  let y = MARGIN + 18;
  const text = (
    /** @type {number} */ x,
    /** @type {string} */ words,
    /** @type {string} */ fill,
    /** @type {string} */ more,
  ) => parts.push(`<text x="${x}" y="${y}" fill="${fill}" ${more}>${escape(words)}</text>`);

  text(MARGIN, title, colours.text, 'font-size="17" font-weight="600"');
  y += 24;
  let x = MARGIN;
  const kinds = /** @type {const} */ (['own', 'measured', 'published']);
  for (const kind of kinds.filter((each) =>
    panels.some(({ bars }) => bars.some((bar) => bar.kind === each)),
  )) {
    parts.push(`<rect x="${x}" y="${y - 10}" width="11" height="11" rx="2" fill="${colours[kind]}"/>`);
    text(x + 17, KINDS[kind], colours.muted, 'font-size="12"');
    x += 34 + KINDS[kind].length * 7;
  }
  for (const panel of panels) {
    y += 32;
    text(MARGIN, panel.heading, colours.text, 'font-size="13" font-weight="600"');
    y += 8;
    const most = Math.max(...panel.bars.map(({ value }) => value));
    for (const bar of panel.bars) {
      const length = Math.max(2, Math.round((bar.value / most) * (WIDTH - LABELS - VALUES - MARGIN)));
      const isOwn = bar.kind === 'own';
      y += ROW;
      text(
        LABELS - 8,
        bar.label,
        isOwn ? colours.text : colours.muted,
        `font-size="13" text-anchor="end"${isOwn ? ' font-weight="600"' : ''}`,
      );
      parts.push(
        `<rect x="${LABELS}" y="${y - 13}" width="${length}" height="${BAR}" rx="3" fill="${colours[bar.kind]}"/>`,
      );
      text(
        LABELS + length + 7,
        bar.shown,
        isOwn ? colours.text : colours.muted,
        `font-size="13"${isOwn ? ' font-weight="600"' : ''}`,
      );
    }
  }
  y += 14;
  for (const note of notes) {
    y += 17;
    text(MARGIN, note, colours.muted, 'font-size="11.5"');
  }
  const height = y + MARGIN;
  const said = panels
    .map(
      ({ heading, bars }) => `${heading}: ${bars.map(({ label, shown }) => `${label} ${shown}`).join(', ')}`,
    )
    .join('. ');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" ${FONT}>`,
    `<title>${escape(title)}</title>`,
    `<desc>${escape(said)}</desc>`,
    ...parts,
    '</svg>\n',
  ].join('\n');
}
