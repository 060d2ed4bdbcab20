/** A server that tells what its client sends, for bug reports. It has one tool, and does nothing else. */
import {
  inputRequired,
  SdkError,
  SdkErrorCode,
  Server,
  type CallToolResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { CODEX_META, type VariableReport } from '../project/index.ts';
import type { Connection, ServerFactory } from './connection.ts';
import { unknownTool } from './error-answers.ts';
import { factsOf, shown } from './probe-facts.ts';
import { declaresModernRoots } from './call-context.ts';

export interface ProbeOptions {
  readonly version: string;
  readonly cwd: string | undefined;
  /** Names only: values never come here. */
  readonly variableNames: readonly string[];
  readonly variables: readonly VariableReport[];
  /** Called with each new line of the report. */
  readonly say: (line: string) => void;
}

export interface Probe {
  readonly factory: ServerFactory;
  /** To be shown every message of the client. */
  readonly observe: (message: unknown) => void;
}

const ROOTS_TIMEOUT_MS = 2_000;
/** A client that goes on for hours must not fill memory; what is new about it is said early. */
const MAX_LINES = 500;

const TOOL = {
  name: 'probe_report',
  title: 'Probe report',
  description: 'What this client told the server about itself and its project. Use it to write a bug report.',
  inputSchema: { type: 'object', properties: {} },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
} as const;

export function createProbe({ version, cwd, variableNames, variables, say }: ProbeOptions): Probe {
  const lines = new Set<string>();
  const note = (line: string): void => {
    if (lines.has(line) || lines.size >= MAX_LINES) return;
    lines.add(line);
    say(line);
  };
  note(`waymark probe ${version}: names and shapes of what the client sends, no values but directories`);
  note(`working directory: ${cwd === undefined ? 'it no longer exists' : shown(cwd)}`);
  note(`environment, names only: ${variableNames.toSorted().map(shown).join(', ')}`);
  for (const { name, state } of variables) note(`${name}: ${state}`);

  return {
    observe: (message) => factsOf(message).forEach(note),
    factory: ({ era }: Connection) => {
      const server = new Server(
        { name: 'waymark-probe', version },
        // Codex tells its working directory only to servers that declare this.
        { capabilities: { tools: {}, experimental: { [CODEX_META]: {} } } },
      );
      let asked: Promise<void> | undefined;

      const askRoots = async (): Promise<void> => {
        if (server.getClientCapabilities()?.roots === undefined) return note('roots: not declared');
        try {
          // The answer itself is seen by observe(), also if it comes late or is an error.
          await server.listRoots(undefined, { timeout: ROOTS_TIMEOUT_MS });
        } catch (thrown) {
          if (thrown instanceof SdkError && thrown.code === SdkErrorCode.RequestTimeout)
            note(`roots: no answer within ${ROOTS_TIMEOUT_MS / 1000} s`);
        }
      };

      server.setRequestHandler('tools/list', async () => {
        // Every client lists tools, not every one calls them; this must not make the listing wait.
        if (era === 'legacy') asked ??= askRoots();
        return { tools: [TOOL] };
      });
      server.setRequestHandler('tools/call', async ({ params }, context: ServerContext) => {
        if (params.name !== TOOL.name) throw unknownTool(params.name);
        if (era === 'legacy') await (asked ??= askRoots());
        else if (!declaresModernRoots(context)) note('roots: not declared');
        else if (context.mcpReq.inputResponses === undefined)
          return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
        return { content: [{ type: 'text', text: [...lines].join('\n') }] } satisfies CallToolResult;
      });
      return server;
    },
  };
}
