/** What a client is told of the tools, and what that costs its model. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { renderInstructions } from '../../src/mcp/index.ts';
import { TOOLSETS } from '../../src/core/index.ts';
import { TOOLS } from '../../src/tools/index.ts';
import { addressFor, CLIENT_KINDS, isStdio, openClient, type ClientKind } from '../support/clients.ts';
import { shareServers } from '../support/shared-servers.ts';
import { shop } from '../support/shop.ts';
import { send } from '../support/raw-http.ts';
import { initialize, messageOf, modern } from '../support/rpc.ts';
import { run } from '../support/waymark.ts';

const DEFAULT_SETS: readonly string[] = ['search', 'structure', 'memory', 'project'];

/** The names the contract gives to each set; aliases are not listed. */
const CONTRACT = {
  search: ['search_code', 'index_codebase', 'index_stats', 'list_indexes', 'clear_index'],
  structure: ['find_references', 'get_file_dependencies', 'get_file_impact', 'outline'],
  memory: [
    'recall',
    'checkpoint_resume',
    'checkpoint_save',
    'remediation_save',
    'remediation_feedback',
    'skill_save',
    'fact_save',
    'memory_change',
    'checkpoint_list',
    'checkpoint_search',
    'remediation_search',
    'skill_search',
  ],
  project: ['switch_project', 'project_status'],
  guide: [
    'category_list',
    'category_content',
    'collection_create',
    'collection_delete',
    'collection_list',
    'get_content',
  ],
  diagnose: ['analyze_query'],
} as const;

/** What is listed: where every set is, all of it; else without what another tool does too. */
function namesOf(sets: readonly string[]): readonly string[] {
  const isAll = sets.length === TOOLSETS.length;
  return TOOLS.filter(({ toolset, unlisted }) => sets.includes(toolset) && (isAll || !unlisted)).map(
    ({ name }) => name,
  );
}

const server = shareServers();

async function listWith(kind: ClientKind, args: readonly string[], query = '') {
  const open = async () => {
    if (isStdio(kind)) return openClient({ kind, args });
    const { url } = await server(args);
    return openClient({ kind, url: `${addressFor(kind, url)}${query}` });
  };
  const client = await open();
  return { client, tools: (await client.raw.listTools()).tools };
}

test('R120 the default listing costs at most 2,600 tokens', () => {
  const names = namesOf(DEFAULT_SETS);
  const listed = TOOLS.filter(({ name }) => names.includes(name)).map(
    ({ name, description, inputSchema }) => ({ name, description, inputSchema }),
  );

  expect(countTokens(JSON.stringify(listed))).toBeLessThanOrEqual(2_600);
});

test.each(TOOLS)('R120 $name has a short description, and belongs to the set the contract says', (tool) => {
  expect(tool.description.length).toBeLessThanOrEqual(600);
  expect(tool.name.length).toBeLessThanOrEqual(24);
  expect(CONTRACT[tool.toolset]).toContain(tool.name);
});

test('R120 the instructions have at most 1,500 characters, and speak of no tool that is not served', async () => {
  const [all, project] = [
    await listWith('stdio, version 1', []),
    await listWith('stdio, version 1', ['--toolsets', 'project']),
  ];

  const said = all.client.raw.getInstructions() ?? '';
  const less = project.client.raw.getInstructions() ?? '';

  expect(renderInstructions(TOOLSETS).length).toBeLessThanOrEqual(1_500);
  expect(said).toMatch(/search_code, before grep/);
  expect(said).toMatch(/session starts: checkpoint_resume/);
  expect(said).toMatch(/start on something, and before you debug an error: recall/);
  expect(said).toMatch(/Before you stop.*: checkpoint_save/);
  expect(said).toMatch(/wrong one, or none: switch_project/);
  expect(toolsIn(said)).toEqual(expect.arrayContaining(['search_code', 'checkpoint_save', 'project_status']));
  expect(toolsIn(said).filter((name) => !namesOf(DEFAULT_SETS).includes(name))).toEqual([]);
  expect(toolsIn(less)).toEqual(['switch_project', 'project_status']);
});

/** What looks like a tool's name. */
function toolsIn(text: string): readonly string[] {
  return [...new Set(text.match(/\b[a-z]+_[a-z_]+\b/g) ?? [])];
}

test('asks clients that defer tools to show search_code and recall in full', async () => {
  const { tools } = await listWith('stdio, version 2, modern', ['--toolsets', 'all']);

  const loaded = tools.filter(({ _meta }) => _meta?.['anthropic/alwaysLoad'] === true);

  expect(loaded.map(({ name }) => name)).toEqual(['search_code', 'recall']);
});

test('R141 searches of a single kind are not listed by default, and can be called all the same', async () => {
  const { client, tools } = await listWith('stdio, version 2, modern', []);
  const aliases = ['checkpoint_search', 'remediation_search', 'skill_search', 'checkpoint_list'];
  const { path } = shop();

  expect(tools.map(({ name }) => name).filter((name) => aliases.includes(name))).toEqual([]);
  for (const name of aliases) {
    const query =
      name === 'remediation_search' ? { error: 'x' } : name === 'checkpoint_list' ? {} : { query: 'x' };
    expect(await client.call(name, { project: path, ...query })).toMatchObject({ isError: false });
  }
});

test.each([
  ['find code', 'search_code'],
  ['search the codebase', 'search_code'],
  ['what did we learn', 'recall'],
  ['where were we', 'checkpoint_resume'],
  ['save progress', 'checkpoint_save'],
  ['error message', 'recall'],
  ['stack trace', 'recall'],
  ['how to build', 'recall'],
])('a search for "%s" among the tools finds %s', (words, name) => {
  const described = TOOLS.filter(({ description }) => description.toLowerCase().includes(words));

  expect(described.map((tool) => tool.name)).toContain(name);
});

describe.each(CLIENT_KINDS)('%s', (kind) => {
  test('R120 lists the default sets, in the order of the list, to every client', async () => {
    const { tools } = await listWith(kind, []);

    expect(tools.map(({ name }) => name)).toEqual(namesOf(DEFAULT_SETS));
  });

  test('R120 --toolsets chooses, and what is not chosen cannot be called', async () => {
    const { client, tools } = await listWith(kind, ['--toolsets', 'project', '--toolsets', 'guide,diagnose']);

    expect(tools.map(({ name }) => name)).toEqual(namesOf(['project', 'guide', 'diagnose']));
    await expect(client.call('index_stats')).rejects.toThrow('unknown tool: index_stats');
  });

  test('R121 every tool has a title, all hints, an input schema and an optional project', async () => {
    const { client, tools } = await listWith(kind, ['--toolsets', 'all']);
    const project = shop();

    expect(tools.map(({ name }) => name)).toEqual(namesOf(TOOLSETS));
    for (const tool of tools) {
      expect(tool).toMatchObject({
        title: expect.any(String),
        annotations: {
          readOnlyHint: expect.any(Boolean),
          destructiveHint: expect.any(Boolean),
          idempotentHint: expect.any(Boolean),
          openWorldHint: false,
        },
        inputSchema: { type: 'object', properties: { project: { type: 'string' } } },
      });
      // The client of this test asks for structured answers: then, and only then, there is a schema of them.
      expect(tool.outputSchema).toMatchObject({ type: 'object' });
      // Choosing one is all that switch_project is for.
      const needsProject = tool.inputSchema.required?.includes('project') === true;
      expect(needsProject).toBe(tool.name === 'switch_project');
      const refused = await client.call(tool.name, { project: project.path, no_such: 1, nor_this: 2 });
      expect(refused.isError).toBe(true);
      expect(refused.structured).toMatchObject({ success: false, error_type: 'bad_argument' });
      expect(refused.text).toContain('unknown argument `no_such`, `nor_this`');
    }
  });
});

test.each(CLIENT_KINDS.filter((kind) => !isStdio(kind)))('R120 %s: ?toolsets= chooses', async (kind) => {
  const { client, tools } = await listWith(kind, [], '?toolsets=project');

  expect(tools.map(({ name }) => name)).toEqual(namesOf(['project']));
  expect(toolsIn(client.raw.getInstructions() ?? '')).toEqual(['switch_project', 'project_status']);
  await expect(client.call('index_stats')).rejects.toThrow('unknown tool: index_stats');
});

test('R120 a set that does not exist is a mistake: at start, and in a URL', async () => {
  const { port } = await server();
  const path = '/mcp?toolsets=project,serach';

  const started = await run(['mcp', '--toolsets', 'serach']);
  const legacy = await send(port, { ...initialize('2025-06-18'), path });
  const modernList = await send(port, { ...modern({ id: 'mine', method: 'tools/list' }), path });

  const words = 'There is no toolset `serach`.';
  expect(started).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(words) });
  expect(started.stderr).toContain(
    'Choose from search, structure, memory, project, guide, diagnose, or all.',
  );
  for (const reply of [legacy, modernList]) {
    expect(reply.status).toBe(400);
    expect(messageOf(reply).error).toMatchObject({ code: -32602, message: expect.stringContaining(words) });
  }
  expect(messageOf(modernList).id).toBe('mine');
});
