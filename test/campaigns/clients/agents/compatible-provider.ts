/** The file of opencode, and of Kilo, which grew out of it: a provider that speaks like OpenAI. */
import { KEY, MODEL, type Place } from '../agent.ts';

export function compatibleProvider({ modelUrl }: Place): string {
  const provider = {
    npm: '@ai-sdk/openai-compatible',
    name: 'local',
    options: { baseURL: `${modelUrl}/v1`, apiKey: KEY },
    models: { [MODEL]: { name: MODEL, tool_call: true } },
  };
  return `${JSON.stringify({ model: `local/${MODEL}`, provider: { local: provider } }, null, 2)}\n`;
}
