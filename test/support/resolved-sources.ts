/** A project of a few sources in memory: read by the grammars, packed and unpacked as in the index, and asked who uses what. */
import { fileURLToPath } from 'node:url';
import { createImportResolver, languageOf, openRow } from '../../src/languages/index.ts';
import { createSyntax, type Syntax } from '../../src/languages/syntax/load-grammars.ts';
import { createFileGraph, type FileGraph } from '../../src/structure/file-graph.ts';
import { createProjectFacts, type FactFile, type ProjectFacts } from '../../src/structure/project-facts.ts';
import { findReferences } from '../../src/structure/references.ts';
import { NONE_WAITING } from '../../src/structure/waiting-files.ts';
import { createResolver, type Resolver } from '../../src/structure/resolver.ts';
import { sharedRuntime } from './grammar-runtime.ts';

const GRAMMARS = fileURLToPath(new URL('../../dist/grammars', import.meta.url));
const started: { syntax?: Promise<Syntax> } = {};

export interface ResolvedSources {
  readonly project: ProjectFacts;
  readonly resolver: Resolver;
  readonly graph: FileGraph;
  /** `path:line` of each use, with its grade where it is not sure. */
  usesOf(symbol: string): readonly string[];
  /** `path:line` of what may be meant besides; where that is nothing and there is no use, "no known use" is told. */
  possibleOf(symbol: string): readonly string[];
  /** What a symbol uses itself, by name. */
  usedBy(symbol: string): readonly string[];
}

/** Sources by path; a file that imports are configured by is a source too. */
export async function resolveSources(files: Readonly<Record<string, string>>): Promise<ResolvedSources> {
  const syntax = await (started.syntax ??= createSyntax(GRAMMARS, sharedRuntime));
  const listed = new Map<string, FactFile>();
  for (const [at, [path, text]] of Object.entries(files).entries()) {
    const language = languageOf(path) ?? 'text';
    const read = await syntax.read(language, text);
    const packed = 'failure' in read ? undefined : read.facts;
    const row = packed && openRow(packed);
    listed.set(path, { id: at + 1, path, language, hash: '', plainBy: 0, row });
  }
  const configs = new Map(Object.entries(files));
  const imports = createImportResolver({ paths: listed.keys(), configs });
  const project = createProjectFacts({ generation: 1, files: listed }, { imports, waiting: NONE_WAITING });
  const resolver = createResolver(project);
  const asked = (symbol: string, direction: 'in' | 'out') =>
    findReferences(project, resolver, { symbol, direction }).symbols.flatMap(({ references }) => references);
  return {
    project,
    resolver,
    graph: createFileGraph(project, resolver),
    usesOf: (symbol) =>
      asked(symbol, 'in').map(
        ({ path, line, grade }) => `${path}:${line}${grade === 'sure' ? '' : ` ${grade}`}`,
      ),
    possibleOf: (symbol) =>
      findReferences(project, resolver, { symbol, include: 'possible' })
        .symbols.flatMap(({ references }) => references)
        .filter(({ grade }) => grade === 'possible')
        .map(({ path, line }) => `${path}:${line}`),
    usedBy: (symbol) => asked(symbol, 'out').map(({ symbol: used }) => used ?? ''),
  };
}
