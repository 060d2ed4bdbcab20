/** Tests use our real modules; only network, models and time are faked, and those are passed in. */

const MOCKERS = ['mock', 'doMock', 'unmock', 'doUnmock'];

/**
 * @param {import('../source-file.mjs').SourceFile} file
 * @returns {import('../finding.mjs').Finding[]}
 */
export function checkMocks(file) {
  return file
    .nodes('CallExpression')
    .filter(
      ({ callee }) => ['vi', 'jest'].includes(callee.object?.name) && MOCKERS.includes(callee.property?.name),
    )
    .filter(({ arguments: [target] }) =>
      isOwnModule(target?.type === 'ImportExpression' ? target.source : target),
    )
    .map((node) => ({
      path: file.path,
      line: file.lineAt(node.start),
      message:
        'A module of our own is mocked. Use the real one with a temp project, or pass a fake in as a parameter: a mocked module keeps passing when the real one breaks.',
    }));
}

/** @param {import('../source-file.mjs').Node | undefined} target */
function isOwnModule(target) {
  return target?.type === 'Literal' && /^(\.|\/|waymark(\/|$))/.test(String(target.value));
}
