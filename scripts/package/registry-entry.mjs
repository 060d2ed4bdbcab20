/** server.json for the MCP registry. `name` must equal `mcpName` in package.json: that proves who owns the package. */
import { join } from 'node:path';
import { FACTS, writeJson } from './facts.mjs';

export function buildRegistryEntry(folder) {
  writeJson(join(folder, 'server.json'), {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: FACTS.mcpName,
    title: 'Waymark',
    description: FACTS.description.slice(0, 100),
    repository: { url: FACTS.homepage, source: 'github' },
    version: FACTS.version,
    packages: [
      {
        registryType: 'npm',
        identifier: FACTS.name,
        version: FACTS.version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments: [{ type: 'positional', value: 'mcp' }],
        environmentVariables: [
          {
            name: 'WAYMARK_PROJECT',
            description: 'The project, for clients that do not say which one is open.',
            format: 'filepath',
            isRequired: false,
            isSecret: false,
          },
        ],
      },
    ],
  });
}
