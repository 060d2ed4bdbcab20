/** `as` is a claim the compiler cannot check, so it needs a reason beside it. */

/** @typedef {import('../source-file.mjs').Node} Node */
/** @typedef {import('../source-file.mjs').SourceFile} SourceFile */

const MESSAGE =
  '`as` without a reason. Parse or narrow instead; if it must hold, say why in a comment on this line or the one above.';

/**
 * @param {SourceFile} file
 * @returns {import('../finding.mjs').Finding[]}
 */
export function checkCasts(file) {
  const casts = file.nodes('TSAsExpression', 'TSTypeAssertion').filter((node) => !isAsConst(node));
  if (casts.length === 0) return [];
  const reasons = reasonLines(file);
  return casts
    .filter((node) => {
      const lines = [file.lineAt(node.start), file.lineAt(node.typeAnnotation.start)];
      return !lines.some((line) => reasons.has(line));
    })
    .map((node) => ({ path: file.path, line: file.lineAt(node.typeAnnotation.start), message: MESSAGE }));
}

/** @param {Node} node */
function isAsConst(node) {
  return node.typeAnnotation.type === 'TSTypeReference' && node.typeAnnotation.typeName.name === 'const';
}

/**
 * Lines that a comment speaks for: its own last line and, when it stands alone, the line below.
 * @param {SourceFile} file
 */
function reasonLines(file) {
  return new Set(
    file.comments.flatMap((comment) => {
      const last = file.lineAt(comment.end - 1);
      const before = file.text.slice(file.text.lastIndexOf('\n', comment.start - 1) + 1, comment.start);
      return before.trim() === '' ? [last, last + 1] : [last];
    }),
  );
}
