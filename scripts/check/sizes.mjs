/** Files stay small enough to read in one sitting. */

const MOST_LINES = 400;
const MOST_MEDIAN_LINES = 120;

/**
 * @param {import('./source-tree.mjs').SourceTree} tree
 * @returns {import('./finding.mjs').Outcome}
 */
export function checkSizes(tree) {
  const findings = tree.files
    .filter((file) => file.lineCount > MOST_LINES)
    .map((file) => ({
      path: file.path,
      line: MOST_LINES + 1,
      message: `${file.lineCount} lines; ${MOST_LINES} is the most. Split it by idea, not by line count: name each idea and give it a file.`,
    }));
  const src = tree.files.filter((file) => file.area === 'src');
  const median = medianOf(src.map((file) => file.lineCount));
  if (median > MOST_MEDIAN_LINES) {
    findings.push({
      path: 'src',
      line: 1,
      message: `The median file has ${median} lines; ${MOST_MEDIAN_LINES} is the most. Split the largest files by idea, so that a reader can hold one in mind.`,
    });
  }
  return { findings, note: `median of ${src.length} files in src: ${median} lines` };
}

/** @param {readonly number[]} values */
function medianOf(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
