/** One agent with the hooks that setup writes: what its model is told first, and what of its sessions is in the memory afterwards. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent } from '../agent.ts';
import type { Check } from '../checks.ts';
import { readHome, replaceIn } from '../home-files.ts';
import { findInstalled, nodeFolder } from '../install-agents.ts';
import { isolationEnv } from '../isolation.ts';
import { openStandIn, type Recorded, type StandIn } from '../model/stand-in.ts';
import { productIn, type Product } from '../product.ts';
import { endLeftovers, processesOf, runProgram, type Ended } from '../run-program.ts';
import { makeWorkspace, writeFiles, type Workspace } from '../workspace.ts';
import type { HookAgent } from './hook-agents.ts';

export interface HookTrialOptions {
  readonly agent: Agent;
  readonly hooks: HookAgent;
  readonly root: string;
  readonly agentsFolder: string;
  readonly folder: string;
  readonly keep: boolean;
}

export interface HookReport {
  readonly name: string;
  readonly version: string;
  readonly checks: readonly Check[];
}

const LIMIT_MS = 180_000;
const SETTLED_MS = 60_000;
const UNCAPTURED_MS = 15_000;
const POLL_MS = 500;
const MEANT = 'Meant: the price is to be cut next.';
const FACT = 'Prices are whole numbers.';
const PRICE = { path: 'src/price.ts', from: '  return id.length * 50;', to: '  return id.length * 40;' };
const BILL = {
  path: 'services/billing/invoice.py',
  from: '    return f"invoice {number}"',
  to: '    return f"bill {number}"',
};
/** Fails until the price is cut. */
const TEST = 'node test-price.mjs';
const TEST_CODE = `import { readFileSync } from 'node:fs';
if (!readFileSync('src/price.ts', 'utf8').includes('* 40')) throw new Error('expected price 40, got 50');
`;
const CLOSING =
  'The price is cut now. We will keep whole numbers instead of floats. Still open: the docs need the new price.';

interface Entry {
  readonly kind: string;
  readonly name: string;
  readonly content: string;
  readonly files: readonly { readonly path: string }[];
  readonly fields: Readonly<Record<string, string>>;
  readonly provenance: { readonly origin: string; readonly client: string };
}

export async function runHookTrial(options: HookTrialOptions): Promise<HookReport> {
  const { agent, hooks, agentsFolder, root, folder, keep } = options;
  const workspace = makeWorkspace(folder);
  const { home, repository } = workspace;
  const model = await openStandIn();
  const temporary = join(home, 'tmp');
  mkdirSync(temporary, { recursive: true });
  const env = {
    HOME: home,
    PATH: `${nodeFolder(agentsFolder)}:/usr/local/bin:/usr/bin:/bin`,
    TMPDIR: temporary,
  };
  const place = { home, modelUrl: model.url };
  const { command, version } = findInstalled(agent, agentsFolder);
  const agentEnv = { ...env, ...isolationEnv(), ...agent.env(place), ...hooks.env, PWD: repository };
  const bench: Bench = {
    options,
    workspace,
    model,
    product: productIn(root, env),
    ask: (args, kill) =>
      runProgram([...command, ...args], {
        cwd: repository,
        env: agentEnv,
        limitMs: LIMIT_MS,
        ...(kill === undefined ? {} : { kill }),
      }),
  };
  try {
    writeFiles(home, agent.files(place));
    for (const args of agent.prepare?.(place) ?? []) await bench.ask(args);
    return { name: agent.name, version, checks: await playAll(bench) };
  } finally {
    endLeftovers(home);
    await model.close();
    if (!keep) workspace.remove();
  }
}

interface Bench {
  readonly options: HookTrialOptions;
  readonly workspace: Workspace;
  readonly model: StandIn;
  readonly product: Product;
  ask(args: readonly string[], kill?: AbortSignal): Promise<Ended>;
}

async function playAll(bench: Bench): Promise<readonly Check[]> {
  const { options, workspace, product } = bench;
  const { repository: folder } = workspace;
  const { hooks } = options;
  writeFiles(folder, { 'test-price.mjs': TEST_CODE });
  const setup = await product.run(['setup', hooks.id, '--yes', '--skip-index'], folder);
  giveTime(bench);
  await product.run(['remember', MEANT, '--checkpoint'], folder);
  await product.run(['remember', FACT], folder);
  const checks: Check[] = [
    check(
      'setup',
      setup.code === 0 && setup.output.includes('hooks') ? undefined : setup.output.slice(-1500),
    ),
  ];

  const whole = await play(bench, hooks.ask('Cut the price and run the test.'), {
    steps: [hooks.run(TEST), hooks.edit(folder, PRICE), hooks.run(TEST)],
    closing: CLOSING,
  });
  const first = whole.recorded.find(({ asked }) => asked.tools.length > 0)?.text ?? '';
  checks.push(
    check(
      'told the checkpoint',
      first.includes(MEANT) ? undefined : `not in ${first.slice(0, 200)}\n${whole.output}`,
    ),
    check('told the fact', first.includes(FACT) ? undefined : 'not told'),
    check(
      'changed the file',
      readFileSync(join(folder, PRICE.path), 'utf8').includes('40') ? undefined : whole.output,
    ),
  );
  const captured = await until(bench, (entries) => entries.find(isCaptured));
  checks.push(
    check('captured', captured === undefined ? 'nothing was captured' : undefined),
    check(
      'files',
      captured?.files.some(({ path }) => path === PRICE.path) === true
        ? undefined
        : JSON.stringify(captured ?? 'none'),
    ),
    ...Object.entries({
      'what was asked': 'Cut the price',
      'failed and mended': 'expected price 40, got 50',
      'the decision': 'We will keep whole numbers instead of floats.',
      'the open end': 'the docs need the new price',
    }).map(([name, text]) =>
      check(name, captured?.content.includes(text) === true ? undefined : (captured?.content ?? 'none')),
    ),
    check(
      'nothing of ours is taken for what was said',
      captured?.content.includes(MEANT) === false ? undefined : (captured?.content ?? 'none'),
    ),
  );
  const draft = (await entriesOf(bench)).find(({ kind }) => kind === 'remediation');
  checks.push(
    check(
      'draft of a fix',
      draft?.fields['error']?.includes('expected price 40') === true
        ? undefined
        : JSON.stringify(draft ?? 'none'),
    ),
  );

  // The same session goes on, and is killed while its model thinks.
  const killed = await playKilled(bench, hooks.goOn('Rename invoices to bills.'), {
    steps: [hooks.edit(folder, BILL), hooks.run('node --version')],
    isAsked: ({ asked }) => asked.results.filter(({ id }) => id.includes('killed_step_')).length >= 2,
  });
  const left = (await entriesOf(bench)).find(isCaptured);
  checks.push(
    check('killed half-way: it was working', killed.wasHeld ? undefined : killed.output),
    check(
      'killed half-way: what was captured is there',
      left?.content.includes('whole numbers') === true ? undefined : JSON.stringify(left ?? 'none'),
    ),
  );
  if (hooks.keepsTranscript !== false) checks.push(await tryCatchingUp(bench));
  if (hooks.compact !== undefined) checks.push(...(await tryCompaction(bench, hooks.compact)));
  const uninstall = await product.run(['uninstall', '--yes'], folder);
  return [...checks, check('uninstall', uninstall.code === 0 ? undefined : uninstall.output)];
}

async function tryCatchingUp(bench: Bench): Promise<Check> {
  const { hooks } = bench.options;
  await play(bench, hooks.ask('What is next?'), { steps: [], closing: 'Nothing.' });
  const caught = await until(bench, (entries) =>
    entries.find((entry) => isCaptured(entry) && entry.files.some(({ path }) => path === BILL.path)),
  );
  const fault = caught === undefined ? JSON.stringify(await entriesOf(bench)) : undefined;
  return check('killed half-way: the next start reads the rest', fault);
}

/** A busy machine has time enough. */
function giveTime({ workspace: { home }, options: { hooks } }: Bench): void {
  const paths = [...readHome(home)].filter(([, text]) => text.includes('hooks start')).map(([path]) => path);
  replaceIn(home, paths, [`hooks start ${hooks.id}`, `hooks start ${hooks.id} --within 60000`]);
  replaceIn(home, paths, ['input, 1_000)', 'input, 60_000)']);
}

/**
 * With the hook before compaction alone, the others taken out: what a session did is not captured at its end, and is once it
 * compacts, although it is killed while it does.
 */
async function tryCompaction(
  bench: Bench,
  { args, isAsked }: NonNullable<HookAgent['compact']>,
): Promise<readonly Check[]> {
  const { workspace, product, options } = bench;
  await untilQuiet(workspace.home);
  await product.run(
    ['memory', 'forget-origin', options.hooks.id, '--for-good', '--yes'],
    workspace.repository,
  );
  const putBack = keepCompactionHook(workspace.home);
  try {
    await play(bench, options.hooks.ask('Think about the harbour.'), {
      steps: [options.hooks.run('node --version')],
      closing: 'We decided to use piers instead of buoys.',
    });
    // As long as it would take to be captured.
    const before = await until(bench, (entries) => entries.find(isCaptured), UNCAPTURED_MS);
    const killed = await playKilled(bench, args, {
      steps: [],
      isAsked: ({ text }) => isAsked(text),
      waitMs: 5_000,
    });
    const after = await until(bench, (entries) => entries.find(isOfHarbour));
    return [
      check('compaction: no other hook captures', before === undefined ? undefined : before.content),
      check('compaction: it was asked for', killed.wasHeld ? undefined : killed.output),
      check(
        'compaction: captured before it',
        after === undefined ? 'the session was not captured' : undefined,
      ),
    ];
  } finally {
    putBack();
  }
}

/** A hook of the sessions before may still be reading them, and would save what is forgotten now. */
async function untilQuiet(home: string): Promise<void> {
  for (const startedAt = performance.now(); processesOf(home).length > 0;) {
    if (performance.now() - startedAt > SETTLED_MS) return;
    await new Promise((resolve) => {
      setTimeout(resolve, POLL_MS);
    });
  }
}

/** Takes the hooks of all other events out of the client's file; gives what puts them back. */
function keepCompactionHook(home: string): () => void {
  const found = [...readHome(home)].flatMap(([path]) => {
    const text = readFileSync(join(home, path), 'utf8');
    const settings = text.includes('hooks capture') && path.endsWith('.json') ? toFields(text) : {};
    const { PreCompact } = Object(settings['hooks']);
    return PreCompact === undefined ? [] : [{ path, text, settings, PreCompact }];
  });
  for (const { path, settings, PreCompact } of found)
    writeFiles(home, { [path]: JSON.stringify({ ...settings, hooks: { PreCompact } }) });
  return () => writeFiles(home, Object.fromEntries(found.map(({ path, text }) => [path, text])));
}

function toFields(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function isOfHarbour(entry: Entry): boolean {
  return isCaptured(entry) && entry.content.includes('piers instead of buoys');
}

interface Played extends Ended {
  readonly recorded: readonly Recorded[];
}

async function play(
  { model, workspace, ask }: Bench,
  args: readonly string[],
  conversation: { readonly steps: Parameters<StandIn['begin']>[0]['steps']; readonly closing: string },
): Promise<Played> {
  const recorded = model.begin({ folder: workspace.repository, ...conversation });
  return { ...(await ask(args)), recorded };
}

async function playKilled(
  { model, workspace, ask }: Bench,
  args: readonly string[],
  {
    steps,
    isAsked,
    waitMs = 0,
  }: {
    readonly steps: Parameters<StandIn['begin']>[0]['steps'];
    readonly isAsked: (recorded: Recorded) => boolean;
    readonly waitMs?: number;
  },
): Promise<Ended & { readonly wasHeld: boolean }> {
  const kill = new AbortController();
  let wasHeld = false;
  model.begin(
    { folder: workspace.repository, steps, prefix: 'killed' },
    {
      at: isAsked,
      onHeld() {
        wasHeld = true;
        setTimeout(() => kill.abort(), waitMs);
      },
    },
  );
  return { ...(await ask(args, kill.signal)), wasHeld };
}

function isCaptured({ kind, provenance }: Entry): boolean {
  return kind === 'checkpoint' && provenance.origin === 'captured';
}

async function entriesOf({ product, workspace }: Bench): Promise<readonly Entry[]> {
  const { stdout } = await product.run(['memory', 'list', '--json'], workspace.repository);
  // Our own program's answer.
  return JSON.parse(stdout) as readonly Entry[];
}

/** What a hook left to another process takes a moment. */
async function until(
  bench: Bench,
  find: (entries: readonly Entry[]) => Entry | undefined,
  waitMs = SETTLED_MS,
): Promise<Entry | undefined> {
  for (const startedAt = performance.now(); ;) {
    const found = find(await entriesOf(bench));
    if (found !== undefined || performance.now() - startedAt > waitMs) return found;
    await new Promise((resolve) => {
      setTimeout(resolve, POLL_MS);
    });
  }
}

function check(name: string, fault: string | undefined): Check {
  return { name, fault };
}
