/** C and C++. */
import type { Node } from 'web-tree-sitter';
import type { DefinitionKind } from '../../../core/index.ts';
import { isInside, setOf, type Define, type FoundDefinition, type LanguageRules } from './rules.ts';

const NAMES = setOf(
  'identifier field_identifier type_identifier destructor_name operator_name qualified_identifier template_function operator_cast',
);
const DEEPEST = 12;

/** The name inside `*(*name[4])(int)`. */
function declared(node: Node | null): Node | undefined {
  let at = node;
  for (let depth = 0; at !== null && depth < DEEPEST; depth++) {
    if (NAMES.has(at.type)) return at;
    at = at.childForFieldName('declarator') ?? at.namedChild(at.namedChildCount - 1);
  }
  return undefined;
}

/** `Plane::area` is the method `area` of `Plane`. */
function split(name: Node): { readonly name: Node; readonly container: string | undefined } {
  let at = name;
  let container: string | undefined;
  for (let depth = 0; at.type === 'qualified_identifier' && depth < DEEPEST; depth++) {
    const scope = at.childForFieldName('scope');
    const inner = at.childForFieldName('name');
    container = (scope?.childForFieldName('name') ?? scope)?.text ?? container;
    if (inner === null) break;
    at = inner;
  }
  return { name: at.type === 'template_function' ? (at.childForFieldName('name') ?? at) : at, container };
}

function functionDefinition(node: Node): FoundDefinition | undefined {
  const declarator = node.childForFieldName('declarator');
  const name = declared(declarator);
  const callable = functionDeclarator(declarator);
  if (name === undefined || callable === undefined) return undefined;
  return { kind: 'function', ...(testCase(node, name, callable) ?? split(name)) };
}

/** `TEST(VectorTest, AddsUp) { … }` defines what its last argument says. */
function testCase(node: Node, name: Node, callable: Node): { readonly name: Node } | undefined {
  if (node.childForFieldName('type') !== null || !/^[A-Z][A-Z0-9_]+$/.test(name.text)) return undefined;
  const last = callable.childForFieldName('parameters')?.namedChildren.at(-1)?.childForFieldName('type');
  return last === null || last === undefined ? undefined : { name: last };
}

// `class API_EXPORT Vector {`: a macro there is not C++, and the grammar loses the whole class over it.
const EXPORT_MACRO =
  /\b(?:class|struct|union)\s+([A-Z][A-Z0-9_]{2,60}(?:\([^()\n]{0,80}\))?)(?=\s+[A-Za-z_]\w*(?:\s+final)?\s*[:{<])/g;

function withoutMacros(text: string): string {
  return text.replace(
    EXPORT_MACRO,
    (all, macro: string) => all.slice(0, -macro.length) + ' '.repeat(macro.length),
  );
}

function functionDeclarator(node: Node | null): Node | undefined {
  let at = node;
  for (let depth = 0; at !== null && depth < DEEPEST; depth++) {
    if (at.type === 'function_declarator') return at;
    at = at.childForFieldName('declarator') ?? (at.type === 'reference_declarator' ? at.namedChild(0) : null);
  }
  return undefined;
}

/** Prototypes and, outside of functions, constants. */
function declaration(node: Node): FoundDefinition | undefined {
  if (isInside(node, 'compound_statement')) return undefined;
  const declarator = node.childForFieldName('declarator');
  const name = declared(declarator);
  if (name === undefined) return undefined;
  const callable = declarator?.type === 'init_declarator' ? undefined : functionDeclarator(declarator);
  // `int (*callback)(void)` is a variable.
  if (callable !== undefined && callable.childForFieldName('declarator')?.type !== 'parenthesized_declarator')
    return { kind: 'function', ...split(name), body: null };
  const isConstant = node.children.some((child) => /^(?:const|constexpr|constinit)$/.test(child.text));
  const isField = node.type === 'field_declaration';
  if (isField && !(isConstant && /^static\b|\sstatic\b/.test(node.text))) return undefined;
  const hasValue = declarator?.type === 'init_declarator' || node.childForFieldName('default_value') !== null;
  return hasValue ? { kind: isConstant ? 'constant' : 'variable', ...split(name), body: null } : undefined;
}

function tagged(kind: DefinitionKind): Define {
  return (node) => {
    const name = node.childForFieldName('name');
    const body = node.childForFieldName('body');
    if (name === null || body === null) return undefined;
    const { name: bare, container } = split(
      name.type === 'template_type' ? (name.childForFieldName('name') ?? name) : name,
    );
    // With its declarators and semicolon it is the whole declaration.
    const range = node.parent?.type === 'declaration' ? undefined : node;
    return { kind, name: bare, container, range };
  };
}

function typedef(node: Node): FoundDefinition | undefined {
  const type = node.childForFieldName('type');
  const name = declared(node.childForFieldName('declarator'));
  if (name === undefined) return undefined;
  const body = type?.childForFieldName('body');
  // `typedef struct ring {…} ring_t`: the struct has its own name already.
  const kind: DefinitionKind =
    body === null || body === undefined ? 'type' : type?.type === 'enum_specifier' ? 'enum' : 'struct';
  return { kind: type?.childForFieldName('name') === null ? kind : 'type', name, body: body ?? null };
}

function macro(node: Node): FoundDefinition | undefined {
  const name = node.childForFieldName('name');
  // An include guard says nothing.
  if (name === null || (node.type === 'preproc_def' && node.childForFieldName('value') === null))
    return undefined;
  return { kind: 'macro', name, body: null };
}

const SHARED_DEFINITIONS: LanguageRules['definitions'] = {
  function_definition: functionDefinition,
  declaration,
  field_declaration: declaration,
  struct_specifier: tagged('struct'),
  union_specifier: tagged('struct'),
  enum_specifier: tagged('enum'),
  type_definition: typedef,
  preproc_def: macro,
  preproc_function_def: macro,
};

export const C: LanguageRules = {
  definitions: SHARED_DEFINITIONS,
  prepare: withoutMacros,
  visibility: ({ signature }) => (/^static\b/.test(signature) ? 'private' : undefined),
};

export const CPP: LanguageRules = {
  definitions: {
    ...SHARED_DEFINITIONS,
    class_specifier: tagged('class'),
    namespace_definition: 'module',
    concept_definition: 'type',
    alias_declaration: 'type',
  },
  wrappers: setOf('template_declaration'),
  leading: setOf('template template_parameter_list requires_clause'),
  prepare: withoutMacros,
};
