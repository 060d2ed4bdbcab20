/** A limited client asks about what lies outside without naming a project: by files, rules, other projects, and in between renames. */
import { spawn } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Attack } from './attack.ts';
import { CANARY, git, openCell, type Cell } from './jail-server.ts';
import { put } from './run-command.ts';

const FILES: Readonly<Record<string, (cell: Cell, name: string) => string>> = {
  dots: ({ outside }, name) => `../../hidden/${basename(outside)}/${name}`,
  'its plain path': ({ outside }, name) => join(outside, name),
  'a link': (_cell, name) => `link/${name}`,
  'a link and dots': ({ outside }, name) => `link/../${basename(outside)}/${name}`,
  'an address': ({ outside }, name) => `file://${outside}/${name}`,
};

const SAVES: Readonly<Record<string, (path: string) => readonly [tool: string, args: object]>> = {
  checkpoint_save: (path) => ['checkpoint_save', { content: 'Here it stands.', files: [path] }],
  'the text of a checkpoint': (path) => ['checkpoint_save', { content: `See ${path}:1 for it.` }],
  remediation_save: (path) => [
    'remediation_save',
    { error: 'It broke.', solution: 'Mend it.', files: [path] },
  ],
  'the stack of a fix': (path) => [
    'remediation_save',
    { error: 'It broke.', solution: 'Mend it.', stack: `at f (${path}:1:1)` },
  ],
};

/** Two projects that are alike but for the file outside: their answers must be alike. */
async function compareFiles(
  open: () => Promise<Cell>,
  path: (cell: Cell, name: string) => string,
  save: (path: string) => readonly [string, object],
): Promise<string | undefined> {
  const answers: string[] = [];
  for (const name of ['there1', 'there2']) {
    const cell = await open();
    put(cell.inside, { 'package.json': '{}' });
    put(cell.outside, { there1: CANARY });
    symlinkSync(cell.outside, join(cell.inside, 'link'));
    const [tool, args] = save(path(cell, name));
    const saved = await cell.call(tool, { ...args, project: cell.inside });
    const resumed = await cell.call('checkpoint_resume', { project: cell.inside, level: 'full' });
    const found = await cell.call('remediation_search', { project: cell.inside, error: 'It broke.' });
    answers.push(plain(`${saved}\n${resumed}\n${found}`));
  }
  return answers[0] === answers[1] ? undefined : `the answers differ: ${answers.join(' / ').slice(0, 800)}`;
}

/** Without what differs from one answer to the next anyway: ids, words of fences, times. */
function plain(text: string): string {
  return text
    .replaceAll(/\b[0-9a-f]{12}\b/g, 'ID')
    .replaceAll(/(?:stored|fence|untrusted)[-_ ][\w-]+/gi, 'FENCE')
    .replaceAll(/\d+ (?:ms|s|seconds?|minutes?) ago|just now|\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, 'TIME')
    .replaceAll(/[a-z0-9]{8,}/gi, (word) => (/\d/.test(word) && /[a-z]/i.test(word) ? 'WORD' : word))
    .replaceAll(/\d+/g, 'N');
}

const fileAttacks = Object.entries(SAVES).flatMap(([way, save]) =>
  Object.entries(FILES).map(([spelling, path]): Attack => ({
    name: `whether a file outside exists, asked by ${way} with ${spelling}`,
    area: 'jail',
    stands: 'asking whether a file outside exists',
    run: (place) => compareFiles(() => openCell(place), path, save),
  })),
);

/** The folder around the limit ignores these names; inside nothing does. */
const RULES = {
  'a .gitignore': 'ruled-file.ts',
  'an .ignore': 'searched-file.ts',
  'a .waymarkignore': 'marked-file.ts',
  'a .git/info/exclude': 'excluded-file.ts',
} as const;

const ruleAttacks = Object.entries(RULES).map(([where, name]): Attack => ({
  name: `what ${where} above the limit says, asked by a file's name`,
  area: 'jail',
  stands: 'asking about rules outside',
  async run(place) {
    const cell = await openCell(place);
    put(cell.inside, { 'package.json': '{}', [name]: 'export const wombatfact = 1;\n' });
    await cell.call('index_codebase', { project: cell.inside });
    const answer = await cell.call('search_code', { project: cell.inside, query: 'wombatfact' });
    return answer.includes(name) ? undefined : 'a rule outside took the file away';
  },
}));

const SWAPPER = `
  const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
  const [inside, outside] = process.argv.slice(1);
  const until = Date.now() + 20000;
  for (let round = 0; Date.now() < until; round++) {
    renameSync(inside + '/turn', inside + '/.kept');
    symlinkSync(outside, inside + '/turn');
    unlinkSync(inside + '/turn');
    renameSync(inside + '/.kept', inside + '/turn');
    if (round === 0) process.stdout.write('swapping');
  }
`;
const TRIES = 40;

const RACES: Readonly<Record<string, readonly (readonly [tool: string, args: object])[]>> = {
  'uncommitted files are listed': [
    ['checkpoint_save', { content: 'Here it stands.' }],
    ['checkpoint_resume', { level: 'full' }],
  ],
  'changed files are searched': [['search_code', { query: 'needle', changed: true }]],
  'files are indexed': [
    ['index_codebase', {}],
    ['search_code', { query: 'needle' }],
    ['index_stats', {}],
  ],
  'guides are read': [['get_content', { expressions: ['**'] }]],
  'the project is told': [['project_status', {}]],
};

const raceAttacks = Object.entries(RACES).map(([when, questions]): Attack => ({
  name: `a folder that is swapped for a link while ${when}`,
  area: 'jail',
  stands: 'renames between a check and its use',
  async run(place) {
    const cell = await openCell(place);
    const guide = '.waymark/guides/team';
    put(cell.outside, {
      [`${CANARY}.ts`]: `needle ${CANARY}`,
      [`${guide}/${CANARY}.md`]: CANARY,
      'package.json': `{"name": "${CANARY}"}`,
      '.git/HEAD': `ref: refs/heads/${CANARY}\n`,
    });
    git(cell.inside, 'init', '-q');
    put(cell.inside, { 'package.json': '{}', 'turn/a.ts': 'needle', [`turn/${guide}/a.md`]: 'a' });
    put(cell.inside, { 'turn/package.json': '{}' });
    const swapper = spawn(process.execPath, ['-e', SWAPPER, cell.inside, cell.outside]);
    try {
      await new Promise((resolve) => swapper.stdout.once('data', resolve));
      for (let tries = 0; tries < TRIES; tries++)
        for (const [tool, args] of questions) {
          const project = tries % 2 === 0 ? cell.inside : join(cell.inside, 'turn');
          const answer = await cell.call(tool, { ...args, project });
          if (answer.includes(CANARY)) return `${tool} told it: ${answer.slice(0, 300)}`;
        }
      return undefined;
    } finally {
      swapper.kill('SIGKILL');
    }
  },
}));

export const oracleAttacks: readonly Attack[] = [...fileAttacks, ...ruleAttacks, ...raceAttacks];
