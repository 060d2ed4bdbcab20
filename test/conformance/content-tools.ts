/** Tools that answer by themselves: each kind of content, an error, a schema with every keyword, a mirrored header. */
import { PNG, textResult, WAV, type FixtureTool } from './fixture-tool.ts';

const IMAGE = { type: 'image', data: PNG, mimeType: 'image/png' } as const;

export const CONTENT_TOOLS: readonly FixtureTool[] = [
  {
    // First in the list: the suite calls whatever comes first, without arguments.
    name: 'test_simple_text',
    description: 'Answers with a text',
    run: async () => textResult('This is a simple text response for testing.'),
  },
  {
    name: 'test_image_content',
    description: 'Answers with an image',
    run: async () => ({ content: [IMAGE] }),
  },
  {
    name: 'test_audio_content',
    description: 'Answers with a sound',
    run: async () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }),
  },
  {
    name: 'test_embedded_resource',
    description: 'Answers with a resource',
    run: async () => ({
      content: [
        {
          type: 'resource',
          resource: {
            uri: 'test://embedded-resource',
            mimeType: 'text/plain',
            text: 'This is an embedded resource content.',
          },
        },
      ],
    }),
  },
  {
    name: 'test_multiple_content_types',
    description: 'Answers with a text, an image and a resource',
    run: async () => ({
      content: [
        { type: 'text', text: 'Multiple content types test:' },
        IMAGE,
        {
          type: 'resource',
          resource: {
            uri: 'test://mixed-content-resource',
            mimeType: 'application/json',
            text: JSON.stringify({ test: 'data', value: 123 }),
          },
        },
      ],
    }),
  },
  {
    name: 'test_error_handling',
    description: 'Always fails',
    run: async () => ({
      ...textResult('This tool intentionally returns an error for testing'),
      isError: true,
    }),
  },
  {
    name: 'json_schema_2020_12_tool',
    description: 'Tool with JSON Schema 2020-12 features',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema; this object is never awaited.
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    run: async (args) => textResult(JSON.stringify(args)),
  },
  {
    name: 'test_mirrored_header',
    description: 'Has an argument that clients repeat in a header',
    inputSchema: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
      required: ['region'],
    },
    run: async ({ region }) => textResult(`region: ${String(region)}`),
  },
];
