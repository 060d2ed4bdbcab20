/** Attacks on index, git and search: every short hostile repository, and questions that are bombs. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { FAMILIES } from '../hostile/families.ts';
import type { Fixture } from '../hostile/fixture.ts';
import { runFixture } from '../hostile/run-fixture.ts';
import type { Attack, AttackPlace } from './attack.ts';

/** A ping beside a hostile question has to come back within this time, on a machine that does other work too. */
const PING_MS = 1_000;
const ANSWER_MS = 20_000;

const REPOSITORIES: readonly Attack[] = FAMILIES.flatMap(({ name: family, fixtures }) =>
  fixtures
    .filter(({ isLongOnly }) => isLongOnly !== true)
    .map((fixture) => repositoryAttack(family, fixture)),
);

/** Untraced: `campaign:hostile` also looks at every system call. */
function repositoryAttack(family: string, fixture: Fixture): Attack {
  return {
    name: `${family}: ${fixture.name}`,
    area: 'index',
    stands: `a hostile repository: ${family}`,
    async run() {
      const { findings } = await runFixture(fixture, { traced: false, usual: new Set() });
      return findings[0];
    },
  };
}

type Arguments = Readonly<Record<string, unknown>>;

/** Questions that take long, take much, or mean something else than they seem. */
const QUESTIONS: readonly (readonly [name: string, stands: string, args: Arguments])[] = [
  ['a nested quantifier', 'regular expression bomb', { query: '/(a+)+$/' }],
  ['alternatives that overlap', 'regular expression bomb', { query: '/(a|a)*b/' }],
  ['a chain of dot stars', 'regular expression bomb', { query: `/${'.*'.repeat(60)}x/` }],
  ['a count in a count', 'regular expression bomb', { query: '/((a{1,100}){1,100}){1,100}/' }],
  ['a look behind that grows', 'regular expression bomb', { query: '/(?<=a+b+c+)x+y/' }],
  ['a reference back', 'regular expression bomb', { query: '/(a*)*\\1b/' }],
  ['an expression of 9,000 characters', 'regular expression bomb', { query: `/${'(a?)'.repeat(2_250)}/` }],
  ['an expression that never closes', 'broken input', { query: '/((((((/' }],
  ['every letter as a class', 'regular expression bomb', { query: `/[${'a-z'.repeat(2_000)}]+x/` }],
  ['names of groups', 'regular expression bomb', { query: `/${'(?<g>a)'.repeat(5)}/` }],
  ['10,000 words', 'query bomb', { query: 'total '.repeat(1_600) }],
  ['one word of 9,000 letters', 'query bomb', { query: 'x'.repeat(9_000) }],
  ['3,000 quoted texts', 'query bomb', { query: '"a" '.repeat(2_400) }],
  ['a quote that never closes', 'broken input', { query: '"total of' }],
  ['filters without an end', 'query bomb', { query: 'lang:ts '.repeat(1_000) }],
  ['a filter without a value', 'broken input', { query: 'path: lang: x' }],
  ['NULs and controls', 'broken input', { query: 'to\0tal\u001b[2J\u202e' }],
  ['half of a pair', 'broken input', { query: '\ud800 total \udfff' }],
  ['nothing but marks', 'broken input', { query: '()[]{}*?\\/"' }],
  ['an operator of FTS', 'injection', { query: 'total OR 1=1) UNION SELECT * FROM sqlite_master --' }],
  ['a quote of SQL', 'injection', { query: "'; DROP TABLE file; --" }],
  ['NEAR and columns', 'injection', { query: 'NEAR(a b, 10000000) path : x ^y' }],
  [
    '50 globs of stars',
    'glob bomb',
    { query: 'total', paths: Array.from({ length: 50 }, () => '*a'.repeat(200)) },
  ],
  ['braces that multiply', 'glob bomb', { query: 'total', paths: ['{a,b}'.repeat(60)] }],
  ['a glob that leads out', 'jail', { query: 'total', paths: ['../**', '/etc/**'] }],
  ['a path filter that leads out', 'jail', { query: 'root path:../../etc' }],
  ['a limit beyond all', 'resource bomb', { query: 'total', limit: 1e15 }],
  ['a limit below nothing', 'broken input', { query: 'total', limit: -1 }],
  ['a budget beyond all', 'resource bomb', { query: 'total', budget: Number.MAX_SAFE_INTEGER }],
  ['a project that is a device', 'jail', { query: 'total', project_path: '/dev' }],
  ['a project that is /proc', 'jail', { query: 'total', project_path: '/proc/self' }],
  ['a project with a NUL', 'broken input', { query: 'total', project_path: '/tmp\0/x' }],
];

function questionAttack([name, stands, args]: (typeof QUESTIONS)[number]): Attack {
  return {
    name: `search: ${name}`,
    area: 'index',
    stands,
    run: (place) =>
      withServer(place, async (client) => {
        const asked = client.callTool({ name: 'search_code', arguments: { ...args } }, undefined, {
          timeout: ANSWER_MS,
        });
        const answered = asked.then(
          ({ content }) => JSON.stringify(content),
          (thrown: unknown) => String(thrown),
        );
        const slow = await slowPing(client);
        const text = await answered;
        if (slow !== undefined) return slow;
        if (/timed out|Connection closed/i.test(text)) return `no answer: ${text.slice(0, 100)}`;
        if (/went wrong inside|SQLITE|\.ts:\d+|at \S+ \(/.test(text))
          return `an internal error: ${text.slice(0, 200)}`;
        return /root:x:0|stolen/.test(text) ? 'it shows a file from outside' : undefined;
      }),
  };
}

async function slowPing(client: Client): Promise<string | undefined> {
  const started = performance.now();
  try {
    await client.ping({ timeout: ANSWER_MS });
  } catch (thrown) {
    return `a ping beside it failed: ${String(thrown)}`;
  }
  const ms = performance.now() - started;
  return ms > PING_MS ? `a ping beside it waited ${Math.round(ms)} ms` : undefined;
}

async function withServer(
  { folder, home, program }: AttackPlace,
  ask: (client: Client) => Promise<string | undefined>,
): Promise<string | undefined> {
  const root = join(folder, 'project');
  mkdirSync(join(root, '.git'), { recursive: true });
  writeFileSync(join(root, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  for (let at = 0; at < 40; at++)
    writeFileSync(join(root, `f${at}.ts`), `export const total${at} = '${'a'.repeat(4_000)}';\n`.repeat(3));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp'],
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, WAYMARK_PROJECT: root },
    stderr: 'ignore',
  });
  const client = new Client({ name: 'attack', version: '1' });
  try {
    await client.connect(transport);
    await client.callTool({ name: 'search_code', arguments: { query: 'total' } });
    return await ask(client);
  } finally {
    await client.close().catch(() => undefined);
  }
}

export const indexAttacks: readonly Attack[] = [...REPOSITORIES, ...QUESTIONS.map(questionAttack)];
