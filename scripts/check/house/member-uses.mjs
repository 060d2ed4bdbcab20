/** Uses of `object.property`, however they are spelled: `a.b`, `a.b`, `const { b } = a`. */

/** @typedef {import('../source-file.mjs').Node} Node */
/** @typedef {{ object: string, property: string, node: Node }} MemberUse */

/**
 * @param {import('../source-file.mjs').SourceFile} file
 * @returns {MemberUse[]}
 */
export function memberUses(file) {
  const accessed = file.nodes('MemberExpression').flatMap((node) => {
    const object = nameOf(node.object);
    const property = keyOf(node.property, node.computed);
    return object === undefined || property === undefined ? [] : [{ object, property, node }];
  });
  const unpacked = file.nodes('VariableDeclarator').flatMap((node) => {
    const object = nameOf(node.init);
    if (object === undefined || node.id.type !== 'ObjectPattern') return [];
    return node.id.properties.flatMap((/** @type {Node} */ part) => {
      const property = part.type === 'Property' ? keyOf(part.key, part.computed) : undefined;
      return property === undefined ? [] : [{ object, property, node: part }];
    });
  });
  return [...accessed, ...unpacked];
}

/**
 * @param {Node | null | undefined} node
 * @returns {string | undefined}
 */
function nameOf(node) {
  if (node?.type === 'Identifier') return node.name;
  // globalThis.process is process.
  if (node?.type === 'MemberExpression' && node.object.name === 'globalThis') return node.property.name;
  return undefined;
}

/**
 * @param {Node} key
 * @param {boolean} computed
 * @returns {string | undefined}
 */
function keyOf(key, computed) {
  if (!computed && key.type === 'Identifier') return key.name;
  return key.type === 'Literal' && typeof key.value === 'string' ? key.value : undefined;
}
