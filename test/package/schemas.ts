/**
 * What each format demands, where its publisher has no validator on npm. Every field names where that is said.
 *
 * [registry]  github.com/modelcontextprotocol/registry, docs/reference/server-json/server.schema.json (2025-12-11)
 * [plugins]   docs.claude.com/en/docs/claude-code/plugins-reference
 * [market]    docs.claude.com/en/docs/claude-code/plugin-marketplaces
 * [hooks]     docs.claude.com/en/docs/claude-code/hooks
 * [gemini]    github.com/google-gemini/gemini-cli, docs/extensions/reference.md
 * [codex]     developers.openai.com/codex/plugins, and the plugins published for it
 * [skills]    agentskills.io/specification
 */
import { z } from 'zod';

const version = z.string().regex(/^\d+\.\d+\.\d+$/);
/** A stdio server as Claude Code, Gemini CLI and Codex all read it. [plugins] [gemini] [codex] */
const server = z.strictObject({
  command: z.string().min(1),
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()).optional(),
  cwd: z.string().optional(),
  timeout: z.number().optional(),
});
const servers = z.strictObject({ waymark: server });
const author = z.strictObject({ name: z.string().min(1) });

export const serverJson = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'), // [registry] ServerDetail
  name: z
    .string()
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    .min(3)
    .max(200), // [registry] ServerDetail.name
  title: z.string().min(1).max(100), // [registry] ServerDetail.title
  description: z.string().min(1).max(100), // [registry] ServerDetail.description
  repository: z.strictObject({ url: z.url(), source: z.string() }), // [registry] Repository
  version: version.max(255), // [registry] ServerDetail.version
  packages: z.array(
    z.strictObject({
      registryType: z.literal('npm'), // [registry] Package.registryType
      identifier: z.string(), // [registry] Package.identifier
      version, // [registry] Package.version: exact
      runtimeHint: z.literal('npx'), // [registry] Package.runtimeHint
      transport: z.strictObject({ type: z.literal('stdio') }), // [registry] StdioTransport
      packageArguments: z.array(z.strictObject({ type: z.literal('positional'), value: z.string() })), // [registry] PositionalArgument
      environmentVariables: z.array(
        // [registry] KeyValueInput
        z.strictObject({
          name: z.string(),
          description: z.string(),
          format: z.enum(['string', 'number', 'boolean', 'filepath']),
          isRequired: z.boolean(),
          isSecret: z.boolean(),
        }),
      ),
    }),
  ),
});

export const claudeMarketplace = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]+$/), // [market] name: kebab-case
  owner: author, // [market] owner
  plugins: z.array(
    z.strictObject({
      name: z.string().regex(/^[a-z0-9-]+$/), // [market] plugins[].name
      source: z.string().startsWith('./'), // [market] plugins[].source: relative
      description: z.string(),
      version,
    }),
  ),
});

export const claudePlugin = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]+$/), // [plugins] name: the only required field
  version,
  description: z.string(),
  author,
  homepage: z.url(),
  repository: z.string(),
  license: z.string(),
  keywords: z.array(z.string()),
});

export const mcpJson = z.strictObject({ mcpServers: servers }); // [plugins] .mcp.json

const hookGroup = z.array(
  z.strictObject({
    matcher: z.string().optional(), // [hooks] matcher
    hooks: z.array(
      z.strictObject({ type: z.literal('command'), command: z.string(), timeout: z.number().max(20) }), // [hooks] seconds
    ),
  }),
);
export const hooksJson = z.strictObject({
  description: z.string(), // [plugins] hooks/hooks.json
  hooks: z.strictObject({
    SessionStart: hookGroup,
    Stop: hookGroup,
    PreCompact: hookGroup,
    SessionEnd: hookGroup,
  }), // [hooks] events
});

export const geminiExtension = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]+$/), // [gemini] name: lowercase and dashes, as the folder
  version, // [gemini] version
  description: z.string(), // [gemini] description
  mcpServers: servers, // [gemini] mcpServers, without `trust`
  contextFileName: z.string(), // [gemini] contextFileName
});

export const codexPlugin = z.strictObject({
  ...claudePlugin.shape,
  skills: z.literal('./skills/'), // [codex] skills
  mcpServers: z.literal('./.mcp.json'), // [codex] mcpServers
  interface: z.strictObject({
    // [codex] interface
    displayName: z.string(),
    shortDescription: z.string().max(60),
    longDescription: z.string(),
    developerName: z.string(),
    category: z.string(),
    websiteURL: z.url(),
    defaultPrompt: z.array(z.string()),
  }),
});

export const codexMarketplace = z.strictObject({
  name: z.string(),
  interface: z.strictObject({ displayName: z.string() }),
  owner: author,
  plugins: z.array(
    z.strictObject({
      name: z.string(),
      source: z.strictObject({ source: z.literal('local'), path: z.string().startsWith('./') }), // [codex] local sources
      policy: z.strictObject({
        installation: z.literal('AVAILABLE'),
        authentication: z.literal('ON_INSTALL'),
      }),
      category: z.string(),
      description: z.string(),
      version,
    }),
  ),
});

export const skillFrontMatter = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    .max(64), // [skills] name: as the folder
  description: z.string().min(1).max(1024), // [skills] description
});
