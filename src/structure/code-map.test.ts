import { describe, expect, test } from 'vitest';
import { cyclesOf, mapAround, mapFolder, tellCycles } from './code-map.ts';

function graphOf(edges: readonly (readonly [string, string])[]) {
  const uses = new Map<string, string[]>();
  const usedBy = new Map<string, string[]>();
  for (const [from, to] of edges) {
    uses.set(from, [...(uses.get(from) ?? []), to]);
    usedBy.set(to, [...(usedBy.get(to) ?? []), from]);
  }
  return { uses, usedBy, isPartial: false };
}

const GRAPH = graphOf([
  ['src/a/one.ts', 'src/b/two.ts'],
  ['src/a/three.ts', 'src/b/two.ts'],
  ['src/b/two.ts', 'src/c/four.ts'],
  ['src/c/four.ts', 'src/b/two.ts'],
  ['src/main.ts', 'src/a/one.ts'],
]);
const PATHS = ['src/a/one.ts', 'src/a/three.ts', 'src/b/two.ts', 'src/c/four.ts', 'src/main.ts', 'README.md'];

describe('the map of a folder', () => {
  test('has its folders and files, and counts what lies deeper for its folder', () => {
    const { nodes, edges } = mapFolder(PATHS, GRAPH, { folder: 'src', most: 150 });

    expect(nodes.map(({ id, files }) => [id, files])).toEqual([
      ['src/a/', 2],
      ['src/b/', 1],
      ['src/c/', 1],
      ['src/main.ts', 1],
    ]);
    expect(edges).toContainEqual({ from: 'src/a/', to: 'src/b/', count: 2 });
  });

  test('gives the parts of a cycle the same number, and others none', () => {
    const { nodes } = mapFolder(PATHS, GRAPH, { folder: 'src', most: 150 });

    const cycles = new Map(nodes.map(({ id, cycle }) => [id, cycle]));
    expect(cycles.get('src/b/')).toBe(cycles.get('src/c/'));
    expect(cycles.get('src/b/')).toBeDefined();
    expect([cycles.get('src/a/'), cycles.get('src/main.ts')]).toEqual([undefined, undefined]);
  });

  test('counts the files of cycles that lie deeper, or that a part left out closes', () => {
    const paths = ['a/x.ts', 'a/y.ts', 'b/z.ts', 'c/w.ts'];
    const graph = graphOf([
      ['a/x.ts', 'a/y.ts'],
      ['a/y.ts', 'a/x.ts'],
      ['b/z.ts', 'c/w.ts'],
      ['c/w.ts', 'b/z.ts'],
    ]);

    const { nodes } = mapFolder(paths, graph, { folder: '', most: 2 });

    expect(nodes.map(({ id, cyclic, cycle }) => [id, cyclic, cycle !== undefined])).toEqual([
      ['a/', 2, false],
      ['b/', 1, true],
    ]);
    expect(tellCycles(cyclesOf(graph))).toEqual({
      files: 4,
      count: 2,
      largest: [
        { files: 2, paths: ['a/x.ts', 'a/y.ts'] },
        { files: 2, paths: ['b/z.ts', 'c/w.ts'] },
      ],
    });
  });

  test('draws as many as can be read, and says how many it left out', () => {
    const { nodes, unlisted } = mapFolder(PATHS, GRAPH, { folder: '', most: 1 });

    expect(nodes.map(({ id }) => id)).toEqual(['src/']);
    expect(unlisted).toBe(1);
  });
});

test('the map around a file has what it uses and what uses it, with the steps to each', () => {
  const { nodes } = mapAround(GRAPH, { file: 'src/b/two.ts', most: 150, depth: 2 });

  expect(new Map(nodes.map(({ id, distance }) => [id, distance]))).toEqual(
    new Map([
      ['src/b/two.ts', 0],
      ['src/a/one.ts', 1],
      ['src/a/three.ts', 1],
      ['src/c/four.ts', 1],
      ['src/main.ts', 2],
    ]),
  );
});

test('a chain of 50,000 files is followed without running out of stack', () => {
  const chain = Array.from({ length: 50_000 }, (_, at) => [`f${at}`, `f${at + 1}`] as const);

  const { nodes } = mapAround(graphOf(chain), { file: 'f0', most: 60_000, depth: 60_000 });

  expect(nodes.length).toBe(50_001);
});
