/** Bash and Lua: scripts without types. */
import type { Node } from 'web-tree-sitter';
import { childOf, isInside, type FoundDefinition, type LanguageRules } from './rules.ts';

function bashVariable(node: Node): FoundDefinition | undefined {
  const name = node.childForFieldName('name');
  const statement = node.parent;
  // `VAR=x command` sets it for one command only.
  if (
    name?.type !== 'variable_name' ||
    statement?.type === 'command' ||
    isInside(node, 'function_definition', 'subshell')
  )
    return undefined;
  if (isInside(node, 'for_statement', 'while_statement', 'if_statement', 'case_statement')) return undefined;
  const isDeclared = statement?.type === 'declaration_command';
  const isConstant = isDeclared && /^(?:readonly|declare\s+-\w*r)\b/.test(statement.text);
  return {
    kind: isConstant ? 'constant' : 'variable',
    name,
    range: isDeclared ? statement : node,
    body: null,
  };
}

function bashAlias(node: Node): FoundDefinition | undefined {
  if (node.childForFieldName('name')?.text !== 'alias') return undefined;
  const name = /^([\w.:-]+)=/.exec(node.childForFieldName('argument')?.text ?? '')?.[1];
  return name === undefined ? undefined : { kind: 'function', name, body: null };
}

export const BASH: LanguageRules = {
  definitions: { function_definition: 'function', variable_assignment: bashVariable, command: bashAlias },
};

/** `function M.nested.call(x)`, `function M:take()`, `local function wait()`. */
function luaFunction(node: Node): FoundDefinition | undefined {
  const target = node.childForFieldName('name');
  return target === null ? undefined : { kind: 'function', ...luaTarget(target) };
}

function luaTarget(target: Node): { readonly name: Node; readonly container: string | undefined } {
  const name = target.childForFieldName('method') ?? target.childForFieldName('field') ?? target;
  return { name, container: name === target ? undefined : target.childForFieldName('table')?.text };
}

function luaAssignment(node: Node): FoundDefinition | undefined {
  const target = childOf(node, 'variable_list')?.childForFieldName('name');
  const value = childOf(node, 'expression_list')?.childForFieldName('value');
  if (target === null || target === undefined || value === null || value === undefined) return undefined;
  if (target.type !== 'identifier' && target.type !== 'dot_index_expression') return undefined;
  const statement = node.parent?.type === 'variable_declaration' ? node.parent : node;
  const found = { ...luaTarget(target), range: statement };
  if (value.type === 'function_definition')
    return { kind: 'function', ...found, body: value.childForFieldName('body') };
  if (isInside(node, 'function_declaration', 'function_definition') || value.type === 'function_call')
    return undefined;
  return { kind: found.container === undefined ? 'variable' : 'constant', ...found, body: null };
}

function luaField(node: Node): FoundDefinition | undefined {
  const name = node.childForFieldName('name');
  const value = node.childForFieldName('value');
  if (name?.type !== 'identifier' || value?.type !== 'function_definition') return undefined;
  return { kind: 'method', name, body: value.childForFieldName('body') };
}

export const LUA: LanguageRules = {
  definitions: { function_declaration: luaFunction, assignment_statement: luaAssignment, field: luaField },
};
