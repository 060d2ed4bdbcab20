/** A client names a folder outside of its limit, by every way to name one and every way to write a path. */
import { symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Attack } from './attack.ts';
import { CANARY, openCell, type Cell } from './jail-server.ts';
import { put } from './run-command.ts';

/** A path to something that is called `name` in the folder outside. */
type Spelling = (cell: Cell, name: string) => string;

const allowedOf = ({ inside }: Cell): string => dirname(inside);
const up = ({ outside }: Cell): string => `../../hidden/${basename(outside)}`;

const SPELLINGS: Readonly<Record<string, Spelling>> = {
  'its plain path': ({ outside }, name) => join(outside, name),
  'dots that leave the project': (cell, name) => `${cell.inside}/${up(cell)}/${name}`,
  'dots after a folder that is not there': (cell, name) => `${cell.inside}/none/../${up(cell)}/${name}`,
  'a slash at its end': ({ outside }, name) => `${outside}/${name}/`,
  'slashes that are doubled': ({ outside }, name) => `/${outside}//${name}`,
  'a link inside': (cell, name) => `${linked(cell, 'link', cell.outside)}/${name}`,
  'a relative link inside': (cell, name) => `${linked(cell, 'relative', up(cell))}/${name}`,
  'a link to a link': (cell, name) => {
    linked(cell, 'first', cell.outside);
    return `${linked(cell, 'second', 'first')}/${name}`;
  },
  'a link to the root of the disk': (cell, name) => `${linked(cell, 'top', '/')}${cell.outside}/${name}`,
  'a link and up again': (cell, name) =>
    `${linked(cell, 'back', cell.outside)}/../${basename(cell.outside)}/${name}`,
  'the root of this process': ({ outside }, name) => `/proc/self/root${outside}/${name}`,
  'the working directory of this process': (cell, name) =>
    `/proc/self/cwd/../hidden/${basename(cell.outside)}/${name}`,
  'an address of a file': ({ outside }, name) => `file://${outside}/${name}`,
  'an address with its dots encoded': ({ inside, outside }, name) =>
    `file://${inside}/%2e%2e/%2e%2e/hidden/${basename(outside)}/${name}`,
  'an address with a host': ({ outside }, name) => `file://localhost${outside}/${name}`,
  'a name that begins like the limit': (cell, name) =>
    `${allowedOf(cell)}-more/../hidden/${basename(cell.outside)}/${name}`,
  backslashes: (cell, name) => `${cell.inside}\\..\\..\\hidden\\${basename(cell.outside)}\\${name}`,
  'a line break behind it': ({ outside }, name) => `${outside}/${name}\n`,
};

function linked({ inside }: Cell, name: string, target: string): string {
  const path = join(inside, name);
  try {
    symlinkSync(target, path);
  } catch {
    // It was made for the question before.
  }
  return path;
}

const WAYS: Readonly<Record<string, (cell: Cell, path: string) => Promise<string>>> = {
  'the argument of a tool': ({ call }, project) => call('project_status', { project }),
  'the address of the server': ({ open }, path) => open(path),
  'what a client says of its directory': ({ call }, path) =>
    call('project_status', {}, { 'agent-working-dir': path }),
};

/** What is there, what is not, and a file must all be told in the same words. */
async function compare(cell: Cell, way: string, spelling: Spelling): Promise<string | undefined> {
  put(cell.outside, {
    'project1/package.json': '{}',
    [`project1/${CANARY}.ts`]: CANARY,
    [`project1/.git/HEAD`]: `ref: refs/heads/${CANARY}\n`,
    project2: 'a file',
  });
  const answers: string[] = [];
  for (const name of ['project1', 'project2', 'project3']) {
    const path = spelling(cell, name);
    const answer = (await WAYS[way]?.(cell, path)) ?? '';
    if (answer.includes(CANARY)) return `the answer names what is in the folder: ${answer.slice(0, 200)}`;
    answers.push(answer.replaceAll(name, 'NAME'));
  }
  return new Set(answers).size === 1
    ? undefined
    : `the answers tell what is there: ${answers.join(' / ').slice(0, 600)}`;
}

export const namingAttacks: readonly Attack[] = Object.keys(WAYS).flatMap((way) =>
  Object.entries(SPELLINGS).map(([spelling, path]): Attack => ({
    name: `a folder outside, named with ${spelling} in ${way}`,
    area: 'jail',
    stands: 'naming what lies outside of the limit',
    run: async (place) => compare(await openCell(place), way, path),
  })),
);
