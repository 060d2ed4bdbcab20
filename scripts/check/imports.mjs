/** Every way a file can reach another module: import, import type, export from, import(), require, new URL(). */

/** @typedef {import('./source-file.mjs').Node} Node */
/** @typedef {import('./source-file.mjs').SourceFile} SourceFile */

/**
 * @typedef {object} Import
 * @property {string} specifier
 * @property {number} line
 * @property {boolean} typeOnly  True when nothing is left of it at run time.
 */

/**
 * @param {SourceFile} file
 * @returns {Import[]}
 */
export function importsOf(file) {
  /** @type {(node: Node, source: Node | null | undefined, typeOnly: boolean) => Import[]} */
  const toImport = (node, source, typeOnly) => {
    const specifier = literalText(source);
    return specifier === undefined ? [] : [{ specifier, line: file.lineAt(node.start), typeOnly }];
  };
  return [
    // `import { type A }` keeps an empty import at run time under verbatimModuleSyntax: only `import type` is type-only.
    ...file
      .nodes('ImportDeclaration')
      .flatMap((node) => toImport(node, node.source, node.importKind === 'type')),
    ...file
      .nodes('ExportNamedDeclaration', 'ExportAllDeclaration')
      .flatMap((node) => toImport(node, node.source, node.exportKind === 'type')),
    ...file.nodes('TSImportType').flatMap((node) => toImport(node, node.source, true)),
    ...file.nodes('ImportExpression').flatMap((node) => toImport(node, node.source, false)),
    ...file
      .nodes('TSImportEqualsDeclaration')
      .flatMap((node) => toImport(node, node.moduleReference.expression, node.importKind === 'type')),
    ...file.nodes('CallExpression').flatMap((node) => toImport(node, requireArgument(node), false)),
    ...file.nodes('NewExpression').flatMap((node) => toImport(node, moduleUrlArgument(node), false)),
  ];
}

/**
 * @param {Node | null | undefined} node
 * @returns {string | undefined}
 */
function literalText(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0].value.cooked;
  return undefined;
}

/** @param {Node} call */
function requireArgument(call) {
  const { callee } = call;
  const isRequire =
    (callee.type === 'Identifier' && callee.name === 'require') ||
    (callee.type === 'MemberExpression' &&
      callee.object.name === 'require' &&
      callee.property.name === 'resolve');
  return isRequire ? call.arguments[0] : undefined;
}

/**
 * `new URL('./worker.ts', import.meta.url)` names a module of ours as surely as an import does.
 * @param {Node} created
 */
function moduleUrlArgument(created) {
  const [target, base] = created.arguments;
  if (created.callee.name !== 'URL' || base?.object?.type !== 'MetaProperty') return undefined;
  return /\.[mc]?[jt]s$/.test(literalText(target) ?? '') ? target : undefined;
}
