/** A folder can be overlooked, and the median file be read in one sitting. The most lines of a file are oxlint's `max-lines`. */
import { posix } from 'node:path';

const MOST_FILES = 45;
const MOST_MEDIAN_LINES = 110;

/**
 * @param {import('./source-tree.mjs').SourceTree} tree
 * @returns {import('./finding.mjs').Outcome}
 */
export function checkSizes(tree) {
  const src = tree.files.filter((file) => file.area === 'src' && !file.isTest);
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { path } of src) {
    const folder = posix.dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const findings = [...counts]
    .filter(([, count]) => count > MOST_FILES)
    .map(([path, count]) => ({
      path,
      line: 1,
      message: `${count} files in one folder; ${MOST_FILES} is the most. Give its parts folders that name them.`,
    }));
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
