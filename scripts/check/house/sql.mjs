/** SQL lives in storage/. */

const SQL =
  /^\s*(SELECT\s.+\sFROM\s|INSERT\s+(OR\s+\w+\s+)?INTO\s|UPDATE\s.+\sSET\s|DELETE\s+FROM\s|CREATE\s+(TABLE|INDEX)\s|PRAGMA\s)/s;

/**
 * @param {import('../source-file.mjs').SourceFile} file
 * @returns {import('../finding.mjs').Finding[]}
 */
export function checkSql(file) {
  if (file.room === 'storage') return [];
  const texts = [
    ...file.nodes('Literal').map((node) => ({ node, text: node.value })),
    ...file.nodes('TemplateElement').map((node) => ({ node, text: node.value.cooked })),
  ];
  return texts
    .filter(({ text }) => typeof text === 'string' && SQL.test(text))
    .map(({ node }) => ({
      path: file.path,
      line: file.lineAt(node.start),
      message:
        'SQL outside storage/. Add a method to the storage port that says what you want, so that engines can be exchanged.',
    }));
}
