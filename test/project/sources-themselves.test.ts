/** R007, R008: sources that break or change under a detector, without a server around it. */
import { expect, test } from 'vitest';
import { createDetector } from '../../src/project/index.ts';
import { project } from './projects.ts';

test('R007 a source that breaks says nothing and the next one is asked, unless it was the one that was named', async () => {
  const { root } = project('web-shop');
  const fail = (): never => {
    throw new Error('broken');
  };
  const detector = createDetector({
    projectFromCwd: false,
    environment: fail,
    cwd: () => root,
    findByName: fail,
  });

  const named = await detector.detect({ transport: 'stdio', argument: 'some-name' });
  const detection = await detector.detect({
    transport: 'stdio',
    roots: fail,
    explain: true,
  });

  expect(detection).toMatchObject({ kind: 'found', source: 'cwd', project: { root } });
  expect(
    detection.reports
      .filter((report) => report.kind === 'nothing' && report.reason === 'this source failed')
      .map(({ source }) => source),
  ).toEqual(['roots', 'env', 'pwd']);
  // A project that was named outright is never replaced by a guess.
  expect(named).toMatchObject({ kind: 'refused', refused: { source: 'argument' } });
});

test('R008 the environment and the working directory are read afresh on each call', async () => {
  const a = project('a');
  const b = project('b');
  let env: Record<string, string> = {};
  let cwd = a.root;
  const detector = createDetector({ projectFromCwd: false, environment: () => env, cwd: () => cwd });
  const root = async () => {
    const detection = await detector.detect({ transport: 'stdio' });
    return detection.kind === 'found' ? detection.project.root : undefined;
  };

  const first = await root();
  cwd = b.root;
  const second = await root();
  env = { WAYMARK_PROJECT: a.root };
  const third = await root();

  expect([first, second, third]).toEqual([a.root, b.root, a.root]);
});
