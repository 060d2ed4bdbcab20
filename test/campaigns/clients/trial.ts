/** One agent over one transport: set up, met, asked in four folders, taken back. Collects what was seen; judges nothing. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent } from './agent.ts';
import { resultsOf, wasAsked } from './conversation.ts';
import { changedFiles, readHome, replaceIn } from './home-files.ts';
import { findInstalled, nodeFolder } from './install-agents.ts';
import { isolationEnv } from './isolation.ts';
import { openStandIn, type Recorded, type StandIn } from './model/stand-in.ts';
import { readOpening, type Opening } from './opening.ts';
import { productIn, type Product } from './product.ts';
import { endLeftovers, runProgram, type Ended } from './run-program.ts';
import { SCENES, sceneScripts, type Scene, type SceneScript } from './scenes.ts';
import { openHttpTap, writeStdioTap } from './tap.ts';
import { makeWorkspace, writeFiles, type Workspace } from './workspace.ts';

export const TRANSPORTS = ['stdio', 'http'] as const;
export type Transport = (typeof TRANSPORTS)[number];

export interface TrialOptions {
  readonly agent: Agent;
  readonly transport: Transport;
  /** Of the repository: the built program is below it. */
  readonly root: string;
  readonly agentsFolder: string;
  /** Made and removed by the trial. */
  readonly folder: string;
  readonly keep: boolean;
}

/** What the model was sent in one folder. */
export interface SceneRecord {
  readonly script: SceneScript;
  readonly results: readonly (string | undefined)[];
  readonly wasAsked: boolean;
  /** The first request that declares tools, as it was sent. */
  readonly firstRequest: string;
  /** More than one where the agent did not wait for the server. */
  readonly starts: number;
  readonly agentOutput: string;
}

export interface SetupRecord {
  readonly setup: Ended;
  readonly changed: readonly string[];
  readonly doctor: Ended;
  readonly uninstall: Ended;
  /** Differs from before setup, once it is taken back. */
  readonly left: readonly string[];
}

export interface TrialRecord {
  readonly agent: Agent;
  readonly transport: Transport;
  readonly version: string;
  readonly toolNames: readonly string[];
  readonly workspace: Workspace;
  readonly setup: SetupRecord;
  readonly opening: Opening | undefined;
  readonly scenes: Readonly<Record<Scene, SceneRecord>>;
  /** The memory of the first project at the end. */
  readonly firstMemory: string;
  /** What names the server in the client's files after the last uninstall. */
  readonly remains: readonly string[];
}

const AGENT_LIMIT_MS = 180_000;
const MOST_STARTS = 3;
const QUESTION = 'Where are idle sessions expired? Save what you find.';

interface Bench {
  readonly options: TrialOptions;
  readonly workspace: Workspace;
  readonly product: Product;
  readonly model: StandIn;
  ask(args: readonly string[], cwd: string): Promise<Ended>;
}

export async function runTrial(options: TrialOptions): Promise<TrialRecord> {
  const workspace = makeWorkspace(options.folder);
  const model = await openStandIn();
  const bench = makeBench(options, workspace, model);
  const { product } = bench;
  const server = options.transport === 'http' ? await product.serve(workspace.home) : undefined;
  try {
    writeFiles(workspace.home, options.agent.files({ home: workspace.home, modelUrl: model.url }));
    for (const args of options.agent.prepare?.({ home: workspace.home, modelUrl: model.url }) ?? [])
      await bench.ask(args, workspace.home);
    endLeftovers(workspace.home, [server?.pid]);
    return await runStages(bench, server?.url);
  } finally {
    server?.end();
    endLeftovers(workspace.home);
    await model.close();
    if (!options.keep) workspace.remove();
  }
}

function makeBench(options: TrialOptions, workspace: Workspace, model: StandIn): Bench {
  const { agent, agentsFolder, root } = options;
  const { home } = workspace;
  const temporary = join(home, 'tmp');
  mkdirSync(temporary, { recursive: true });
  const path = `${nodeFolder(agentsFolder)}:/usr/local/bin:/usr/bin:/bin`;
  const env = { HOME: home, PATH: path, TMPDIR: temporary };
  const { command } = findInstalled(agent, agentsFolder);
  const agentEnv = { ...env, ...isolationEnv(), ...agent.env({ home, modelUrl: model.url }) };
  return {
    options,
    workspace,
    model,
    product: productIn(root, env),
    ask: (args, cwd) =>
      runProgram([...command, ...args], { cwd, env: { ...agentEnv, PWD: cwd }, limitMs: AGENT_LIMIT_MS }),
  };
}

async function runStages(bench: Bench, serverUrl: string | undefined): Promise<TrialRecord> {
  const { options, workspace, product } = bench;
  const { home, repository } = workspace;
  const setupArgs = [
    'setup',
    options.agent.id,
    '--yes',
    '--skip-index',
    ...(serverUrl === undefined ? [] : ['--http', serverUrl]),
  ];
  const setup = await tryTakingBack(bench, setupArgs);
  await product.run(setupArgs, repository);
  const opening = await meet(bench, setup.changed, serverUrl);
  const scenes = await playScenes(bench);
  const { stdout: firstMemory } = await product.run(['memory', 'list', '--json'], repository);
  await product.run(['uninstall', '--yes'], repository);
  const target = serverUrl ?? product.program;
  const remains = [...readHome(home)].filter(
    ([path, text]) => setup.changed.includes(path) && text.includes(target),
  );
  return {
    agent: options.agent,
    transport: options.transport,
    version: findInstalled(options.agent, options.agentsFolder).version,
    toolNames: await product.toolNames(repository),
    workspace,
    setup,
    opening,
    scenes,
    firstMemory,
    remains: remains.map(([path]) => path),
  };
}

/** Setup, doctor and uninstall before the agent has run: only Waymark writes, so every byte can be compared. */
async function tryTakingBack(
  { product, workspace }: Bench,
  setupArgs: readonly string[],
): Promise<SetupRecord> {
  const { home, repository } = workspace;
  const before = readHome(home);
  const setup = await product.run(setupArgs, repository);
  const changed = changedFiles(before, readHome(home));
  const doctor = await product.run(['doctor', '--json'], repository);
  const uninstall = await product.run(['uninstall', '--yes'], repository);
  return { setup, changed, doctor, uninstall, left: changedFiles(before, readHome(home)) };
}

/** A short run through a tap that keeps how the agent opens the conversation. */
async function meet(
  { options, workspace, product, model, ask }: Bench,
  files: readonly string[],
  serverUrl: string | undefined,
): Promise<Opening | undefined> {
  const { home, repository } = workspace;
  const file = join(options.folder, 'tap.mjs');
  const http = serverUrl === undefined ? undefined : await openHttpTap(serverUrl);
  const tap = http ?? writeStdioTap(product.program, file);
  const from = serverUrl === undefined ? product.program : new URL(serverUrl).origin;
  const to = http?.url ?? file;
  replaceIn(home, files, [from, to]);
  model.begin({ folder: repository, steps: [{ tool: 'project_status', args: {} }] });
  await ask(options.agent.ask(QUESTION), repository);
  replaceIn(home, files, [to, from]);
  await tap.close();
  return readOpening(tap.lines());
}

async function playScenes(bench: Bench): Promise<Readonly<Record<Scene, SceneRecord>>> {
  const scripts = sceneScripts(bench.workspace);
  const played: [Scene, SceneRecord][] = [];
  for (const scene of SCENES) played.push([scene, await playScene(bench, scripts[scene])]);
  // One entry per scene, in the order of the list.
  return Object.fromEntries(played) as Record<Scene, SceneRecord>;
}

async function playScene(bench: Bench, script: SceneScript): Promise<SceneRecord> {
  const { options, model, ask } = bench;
  for (let starts = 1; ; starts += 1) {
    const recorded = model.begin(script);
    const { output } = await ask(options.agent.ask(QUESTION), script.folder);
    const last = lastOf(recorded);
    const firstRequest = recorded.find(({ asked }) => asked.tools.length > 0)?.text ?? '';
    // Some agents go on without a server that is late, as it is on a busy machine. The report counts these.
    if (starts < MOST_STARTS && !firstRequest.includes('switch_project')) continue;
    return {
      script,
      results: last === undefined ? [] : resultsOf(script, last.asked),
      wasAsked: last !== undefined && wasAsked(last.asked),
      firstRequest,
      starts,
      agentOutput: output,
    };
  }
}

/** The request that holds most of the conversation. */
function lastOf(recorded: readonly Recorded[]): Recorded | undefined {
  return recorded.toSorted((a, b) => b.asked.results.length - a.asked.results.length)[0];
}
