/** A module holds no state that changes: two apps in one process, or two tests, must not share it. */

/** @typedef {import('../source-file.mjs').Node} Node */

const GROWING = ['Map', 'Set', 'WeakMap', 'WeakSet'];

/**
 * @param {import('../source-file.mjs').SourceFile} file
 * @returns {import('../finding.mjs').Finding[]}
 */
export function checkModuleState(file) {
  return file.body
    .map((node) => (node.type === 'ExportNamedDeclaration' ? node.declaration : node))
    .filter((node) => node?.type === 'VariableDeclaration' && !node.declare)
    .flatMap((node) => {
      const what = node.kind === 'const' ? growingCollection(node) : `\`${node.kind}\``;
      if (what === undefined) return [];
      const message = `${what} at module level is shared, mutable state. Hold it in what a createX function returns, built in app.ts; or make it a constant.`;
      return [{ path: file.path, line: file.lineAt(node.start), message }];
    });
}

/**
 * An empty collection is there to be filled, unless its type says readonly.
 * @param {Node} declaration
 * @returns {string | undefined}
 */
function growingCollection(declaration) {
  const found = declaration.declarations.find(
    (/** @type {Node} */ { id, init }) =>
      init?.type === 'NewExpression' &&
      GROWING.includes(init.callee.name) &&
      init.arguments.length === 0 &&
      !id.typeAnnotation?.typeAnnotation.typeName?.name?.startsWith('Readonly'),
  );
  return found === undefined ? undefined : `An empty ${found.init.callee.name}`;
}
