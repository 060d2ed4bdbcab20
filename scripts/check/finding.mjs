/** One thing that is wrong, and how a list of them is printed. */

/**
 * @typedef {object} Finding
 * @property {string} path  Relative to the checked root, with forward slashes.
 * @property {number} line  1-based.
 * @property {string} message  What is wrong, and what to do instead.
 */

/**
 * @typedef {object} Outcome
 * @property {readonly Finding[]} findings
 * @property {string} [note]  Printed behind the step's time.
 */

/** @type {(a: Finding, b: Finding) => number} */
const byPlace = (a, b) =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line || a.message.localeCompare(b.message);

/**
 * @param {readonly Finding[]} findings
 * @param {string | undefined} hint
 */
export function renderFindings(findings, hint) {
  const lines = [...findings]
    .sort(byPlace)
    .map((finding) => `  ${finding.path}:${finding.line}  ${finding.message}`);
  // Two casts on one line are one thing to fix.
  const unique = [...new Set(lines)];
  return [...unique, ...(hint === undefined ? [] : [`  → ${hint}`])].join('\n');
}
