/** Requests to other machines leave from two places, so that anybody can read what is sent, where and when. */

const HOMES = ['src/platform/post-json.ts', 'src/clients/http-handshake.ts'];
const CALLERS = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'];

/**
 * @param {import('../source-file.mjs').SourceFile} file
 * @returns {import('../finding.mjs').Finding[]}
 */
export function checkNetwork(file) {
  if (HOMES.includes(file.path)) return [];
  return file
    .nodes('CallExpression', 'NewExpression')
    .filter(({ callee }) => CALLERS.includes(globalName(callee) ?? ''))
    .map((node) => ({
      path: file.path,
      line: file.lineAt(node.start),
      message: `A request outside ${HOMES.join(' and ')}. Take a function that sends it as a parameter, or use postJson: nothing is sent that the user did not ask for, and two files are easier to watch than two hundred.`,
    }));
}

/**
 * @param {import('../source-file.mjs').Node} callee
 * @returns {string | undefined}
 */
function globalName(callee) {
  if (callee.type === 'Identifier') return callee.name;
  const isGlobal = callee.type === 'MemberExpression' && callee.object.name === 'globalThis';
  return isGlobal ? callee.property.name : undefined;
}
