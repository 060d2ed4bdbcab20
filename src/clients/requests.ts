/** The first two questions every client asks. */

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'waymark-setup', version: '1' },
  },
} as const;

export const LIST_TOOLS = { jsonrpc: '2.0', id: 2, method: 'tools/list' } as const;
