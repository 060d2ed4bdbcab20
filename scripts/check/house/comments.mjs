/** Promises in comments name an issue; a rule is switched off only with a reason. */

/**
 * @param {import('../source-file.mjs').SourceFile} file
 * @returns {import('../finding.mjs').Finding[]}
 */
export function checkComments(file) {
  return file.comments.flatMap((comment) => {
    const message = checkComment(comment.value);
    return message === undefined ? [] : [{ path: file.path, line: file.lineAt(comment.start), message }];
  });
}

/**
 * @param {string} text
 * @returns {string | undefined}
 */
function checkComment(text) {
  if (/\b(TODO|FIXME)\b(?!\(#\d+\))/.test(text)) {
    return 'A note to do something later without an issue. Do it now, or write TODO(#123) with the number of its issue; a note without an owner is never done.';
  }
  if (/^\s*(ox|es)lint-disable/.test(text) && !/\s--\s+\S/.test(text)) {
    return 'A lint rule switched off without a reason. Write `oxlint-disable-next-line rule -- why it does not hold here`.';
  }
  return undefined;
}
