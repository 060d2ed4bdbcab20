/** The prompts of the conformance fixture. */
import { acceptedContent, completable, inputRequired, type McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { PNG } from './fixture-tool.ts';
import { askFor } from './input-tools.ts';

export function addPrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'A prompt without arguments' }, () => ({
    messages: [userText('This is a simple prompt for testing.')],
  }));

  const startingWith = (typed: string | undefined): string[] =>
    ['paris', 'park', 'party', 'testValue'].filter((word) => word.startsWith(typed ?? ''));
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'A prompt with two arguments',
      argsSchema: z.object({
        arg1: completable(z.string().describe('First test argument'), startingWith),
        arg2: z.string().describe('Second test argument'),
      }),
    },
    ({ arg1, arg2 }) => ({
      messages: [userText(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
    }),
  );

  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    {
      description: 'A prompt that holds a resource',
      argsSchema: z.object({ resourceUri: z.string().describe('URI of the resource to embed') }),
    },
    ({ resourceUri }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: {
              uri: resourceUri,
              mimeType: 'text/plain',
              text: 'Embedded resource content for testing.',
            },
          },
        },
        userText('Please process the embedded resource above.'),
      ],
    }),
  );

  server.registerPrompt('test_prompt_with_image', { description: 'A prompt that holds an image' }, () => ({
    messages: [
      { role: 'user', content: { type: 'image', data: PNG, mimeType: 'image/png' } },
      userText('Please analyze the image above.'),
    ],
  }));

  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'A prompt that needs an answer of the user' },
    ({ mcpReq }) => {
      const given = acceptedContent(mcpReq.inputResponses, 'user_context');
      if (given !== undefined) return { messages: [userText(`Context: ${String(given['context'])}`)] };
      return inputRequired({
        inputRequests: { user_context: askFor('What context should the prompt use?', 'context') },
      });
    },
  );
}

function userText(text: string) {
  return { role: 'user', content: { type: 'text', text } } as const;
}
