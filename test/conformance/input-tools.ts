/** Tools that answer "ask your user first", as servers do since 2026-07-28; state that goes through the client is signed. */
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { textResult, type FixtureTool } from './fixture-tool.ts';

/** What a client can do, as it says with every request. */
const Declared = z.object({
  [CLIENT_CAPABILITIES_META_KEY]: z.object({
    sampling: z.unknown().optional(),
    elicitation: z.unknown().optional(),
  }),
});

/** What a tool remembers between two rounds. */
export interface RoundState {
  readonly tool: string;
  readonly round: number;
}

export function createInputTools(state: RequestStateCodec<RoundState>): readonly FixtureTool[] {
  const remember = (tool: string, round: number, context: ServerContext): Promise<string> =>
    state.mint({ tool, round }, context);
  const roundOf = (tool: string, { mcpReq }: ServerContext): number => {
    const kept = mcpReq.requestState<RoundState>();
    return kept?.tool === tool ? kept.round : 0;
  };

  /** Asks for a confirmation and wants its own signed state back with it. */
  const confirming = (name: string, description: string): FixtureTool => ({
    name,
    description,
    async run(_args, context) {
      const confirmed = acceptedContent(context.mcpReq.inputResponses, 'confirm');
      if (confirmed !== undefined && roundOf(name, context) === 1) return textResult('state-ok');
      return inputRequired({
        inputRequests: { confirm: askFor('Please confirm', 'ok', z.boolean()) },
        requestState: await remember(name, 1, context),
      });
    },
  });

  return [
    {
      name: 'test_input_required_result_elicitation',
      description: 'Needs a name from the user',
      async run(_args, { mcpReq }) {
        const given = acceptedContent(mcpReq.inputResponses, 'user_name');
        if (given !== undefined) return textResult(`Hello, ${String(given['name'])}!`);
        return inputRequired({ inputRequests: { user_name: askFor('What is your name?', 'name') } });
      },
    },
    {
      name: 'test_input_required_result_sampling',
      description: "Needs an answer of the client's model",
      async run(_args, { mcpReq }) {
        const given = inputResponse(mcpReq.inputResponses, 'capital_question');
        if (given.kind === 'sampling') return textResult(JSON.stringify(given.result.content));
        return inputRequired({
          inputRequests: { capital_question: askModel('What is the capital of France?', 100) },
        });
      },
    },
    {
      name: 'test_input_required_result_list_roots',
      description: "Needs the client's roots",
      async run(_args, { mcpReq }) {
        const given = inputResponse(mcpReq.inputResponses, 'client_roots');
        if (given.kind === 'roots') return textResult(given.roots.map((root) => root.uri).join('\n'));
        return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
      },
    },
    confirming('test_input_required_result_request_state', 'Needs its own state back'),
    confirming('test_input_required_result_tampered_state', 'Refuses state that was changed'),
    {
      name: 'test_input_required_result_multiple_inputs',
      description: 'Needs a name, an answer of the model and the roots at once',
      async run(_args, context) {
        const { inputResponses } = context.mcpReq;
        const name = acceptedContent(inputResponses, 'user_name');
        const greeting = inputResponse(inputResponses, 'greeting');
        const roots = inputResponse(inputResponses, 'client_roots');
        if (name !== undefined && greeting.kind === 'sampling' && roots.kind === 'roots') {
          return textResult(`${String(name['name'])} has ${roots.roots.length} roots`);
        }
        return inputRequired({
          inputRequests: {
            user_name: askFor('What is your name?', 'name'),
            greeting: askModel('Generate a greeting', 50),
            client_roots: inputRequired.listRoots(),
          },
          requestState: await remember('test_input_required_result_multiple_inputs', 1, context),
        });
      },
    },
    {
      name: 'test_input_required_result_multi_round',
      description: 'Asks twice, one question after the other',
      async run(_args, context) {
        const name = 'test_input_required_result_multi_round';
        const { inputResponses } = context.mcpReq;
        const round = roundOf(name, context);
        if (round === 2 && acceptedContent(inputResponses, 'step2') !== undefined) {
          return textResult('Both questions are answered');
        }
        const next = round === 1 && acceptedContent(inputResponses, 'step1') !== undefined ? 2 : 1;
        return inputRequired({
          inputRequests:
            next === 1
              ? { step1: askFor('Step 1: What is your name?', 'name') }
              : { step2: askFor('Step 2: What is your favorite color?', 'color') },
          requestState: await remember(name, next, context),
        });
      },
    },
    {
      name: 'test_input_required_result_capabilities',
      description: 'Asks only what the client said it can answer',
      async run(_args, { mcpReq }) {
        const able = Declared.safeParse(mcpReq.envelope).data?.[CLIENT_CAPABILITIES_META_KEY];
        const inputRequests = {
          ...(able?.sampling === undefined ? {} : { question: askModel('Say hello', 50) }),
          ...(able?.elicitation === undefined ? {} : { user_name: askFor('What is your name?', 'name') }),
        };
        return Object.keys(inputRequests).length === 0
          ? textResult('There is nothing this client can be asked')
          : inputRequired({ inputRequests });
      },
    },
    {
      name: 'test_missing_capability',
      description: "Cannot work without the client's model",
      run: async () => inputRequired({ inputRequests: { question: askModel('Say hello', 50) } }),
    },
    {
      name: 'test_streaming_elicitation',
      description: 'Asks the user in its result, never by a request of its own',
      run: async () => inputRequired({ inputRequests: { answer: askFor('Please answer', 'answer') } }),
    },
  ];
}

/** A form with one field, of text unless another schema is given. */
export function askFor(message: string, field: string, schema: z.ZodType = z.string()) {
  return inputRequired.elicit({ message, requestedSchema: z.object({ [field]: schema }) });
}

function askModel(text: string, maxTokens: number) {
  return inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text } }],
    maxTokens,
  });
}
