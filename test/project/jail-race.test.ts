/** R054 while another process renames folders and swaps them for links: nothing outside is ever told, not even that it is there. */
import { spawn } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { createDiskBeneath } from '../../src/workspace/index.ts';
import { openClient } from '../support/clients.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { serve } from '../support/waymark.ts';

/** Turns a folder into a link that leads out and back again, moves another one out and back, as fast as it can. */
const RENAMER = `
  const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
  const [base] = process.argv.slice(1);
  const turn = base + '/allowed/turn', kept = base + '/allowed/kept', hidden = base + '/hidden';
  const moving = base + '/allowed/moving', deep = base + '/allowed/deep/a', other = base + '/allowed/deep/b';
  for (let round = 0; ; round++) {
    renameSync(turn, kept);
    symlinkSync(hidden + '/turn', turn);
    renameSync(moving, hidden + '/moved');
    renameSync(deep, other);
    symlinkSync('../../hidden', deep);
    unlinkSync(turn);
    renameSync(kept, turn);
    renameSync(hidden + '/moved', moving);
    unlinkSync(deep);
    renameSync(other, deep);
    if (round === 0) process.stdout.write('renaming');
  }
`;

const git = (branch: string, host: string) => ({
  HEAD: `ref: refs/heads/${branch}\n`,
  config: `[remote "origin"]\n\turl = https://${host}/x.git\n`,
});

/** `there` and `file` are only outside, `gone` is nowhere: an answer that tells them apart tells what is outside. */
async function renamedAllTheTime() {
  const folder = tempFolder({
    'allowed/turn/.git/HEAD': git('inside-branch', 'inside.example').HEAD,
    'allowed/turn/.git/config': git('inside-branch', 'inside.example').config,
    'allowed/moving/inner/x': '',
    'allowed/deep/a/turn/x': '',
    'hidden/turn/.git/HEAD': git('secret-branch', 'secret.example').HEAD,
    'hidden/turn/.git/config': git('secret-branch', 'secret.example').config,
    'allowed/turn/.waymark/guides/team/inside.md': 'inside',
    'hidden/turn/.waymark/guides/team/secret.md': 'secret',
    'hidden/turn/there/package.json': '{}',
    'hidden/turn/file': '',
    'hidden/there/package.json': '{}',
    'hidden/file': '',
  });
  const renamer = spawn(process.execPath, ['-e', RENAMER, folder.path]);
  onTestFinished(() => void renamer.kill('SIGKILL'));
  await new Promise((resolve) => renamer.stdout.once('data', resolve));
  return { folder, renamer };
}

const PROBES = ['there', 'file', 'gone'];

test(
  'R054 folders that another process renames and swaps for links tell nothing of what is outside, in 300 tries each way',
  { timeout: 300_000 },
  async () => {
    const { folder, renamer } = await renamedAllTheTime();
    const { url } = await serve(['--allow-project-root', folder.join('allowed'), '--toolsets', 'all']);
    const named = await openClient({ kind: 'HTTP, version 1', url });
    const reading = await openClient({ kind: 'HTTP, version 1', url });
    const working = await openClient({ kind: 'HTTP, version 1', url });
    const ways: Readonly<Record<string, (path: string) => Promise<string>>> = {
      argument: async (project) => JSON.stringify(await named.call('project_status', { project })),
      content: async (project) =>
        JSON.stringify(await reading.call('category_content', { category: 'team', project })),
      client_meta: async (path) =>
        JSON.stringify(await working.call('project_status', {}, { 'agent-working-dir': path })),
      query_param: async (path) => {
        const response = await fetch(`${url}?project_path=${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'initialize', params: {} }),
        });
        return `${response.status} ${await response.text()}`;
      },
    };
    const paths = [
      'turn',
      'moving',
      'moving/inner',
      'deep/a/turn',
      ...PROBES.flatMap((name) => [`turn/${name}`, `deep/a/${name}`]),
    ].map((name) => folder.join('allowed', name));

    const leaks: string[] = [];
    const said = new Map<string, Set<string>>();
    for (const [way, ask] of Object.entries(ways)) {
      for (let tries = 0; tries < 300;) {
        const batch = Array.from({ length: 20 }, () => paths[tries++ % paths.length] ?? '');
        const answers = await Promise.all(batch.map((path) => ask(path)));
        for (const [index, answer] of answers.entries()) {
          if (/secret|hidden/.test(answer)) leaks.push(answer);
          const asked = batch[index] ?? '';
          const probe = PROBES.find((name) => asked.endsWith(`/${name}`));
          if (probe === undefined) continue;
          // What is said of it, whichever of the three it is.
          const words =
            /(?:forbidden|outside the folders|does not exist|is not a directory|via \w+|never a project)/;
          const told = said.get(probe) ?? new Set();
          said.set(probe, told.add(`${way}: ${words.exec(answer)?.[0]}`));
        }
      }
    }

    expect(leaks).toEqual([]);
    const may = new Set(
      Object.keys(ways).flatMap((way) => [`${way}: outside the folders`, `${way}: does not exist`]),
    );
    for (const probe of PROBES)
      expect([probe, [...(said.get(probe) ?? [])].filter((told) => !may.has(told))]).toEqual([probe, []]);
    // The renaming went on to the end.
    expect(renamer.exitCode).toBeNull();
  },
);

test(
  'R054 one look tells nothing of what is outside, in 1,000 tries',
  // Where the system does not name what is open, looking again makes this likely and cannot make it certain.
  { timeout: 120_000 },
  async () => {
    const { folder, renamer } = await renamedAllTheTime();
    const disk = createDiskBeneath([folder.join('allowed')], '/proc/self/fd');

    const seen = new Set<string>();
    for (let tries = 0; tries < 1_000; tries++) {
      for (const name of PROBES) {
        seen.add(`probe ${disk.look(folder.join('allowed/turn', name)).kind}`);
        seen.add(`probe ${disk.look(folder.join('allowed/deep/a', name)).kind}`);
      }
      const head = disk.read(folder.join('allowed/turn/.git/HEAD'), 1_000);
      seen.add(`HEAD ${head?.trim()}`);
      seen.add(`real ${disk.real(folder.join('allowed/turn'))}`);
    }

    const possible = [
      'probe missing',
      'probe outside',
      'HEAD undefined',
      'HEAD ref: refs/heads/inside-branch',
      'real undefined',
      `real ${folder.join('allowed/turn')}`,
    ];
    expect([...seen].filter((what) => !possible.includes(what))).toEqual([]);
    expect(seen.size).toBeGreaterThan(3);
    expect(renamer.exitCode).toBeNull();
  },
);

test('R054 where the system does not name what is open, a link that leads out still ends the walk', () => {
  const folder = tempFolder({ 'allowed/in/file': 'inside', 'hidden/file': 'secret' });
  symlinkSync(folder.join('hidden'), folder.join('allowed/out'));
  const disk = createDiskBeneath([folder.join('allowed')], '/nowhere');

  expect(disk.look(folder.join('allowed/in/file')).kind).toBe('file');
  expect(disk.look(folder.join('allowed/out/file')).kind).toBe('outside');
  expect(disk.read(folder.join('allowed/out/file'), 100)).toBeUndefined();
});
