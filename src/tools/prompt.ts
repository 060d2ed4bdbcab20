/** What a person can ask for by name in their client. */
import type { Detection } from '../core/index.ts';
import { renderProjectLine } from './render-project.ts';

export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly render: (detection: Detection) => Promise<string>;
}

const orient: Prompt = {
  name: 'orient',
  title: 'Find out where we are',
  description: 'Starts a conversation with the project Waymark found and how it knows.',
  async render(detection) {
    return [
      `Waymark says: ${renderProjectLine(detection)}`,
      'If that is not the project we are working on, call project_status and tell me what each source said.',
      'Otherwise say in one line which project this is.',
    ].join('\n');
  },
};

/** Every prompt, in the order clients see them. */
export const PROMPTS: readonly Prompt[] = [orient];
