/** What a client tells its model about this server: when to use what. At most 1,500 characters. */
import type { Toolset } from '../core/index.ts';

interface Line {
  /** The set whose tools it speaks of; without one it always holds. */
  readonly set?: Toolset;
  readonly text: string;
}

const LINES: readonly Line[] = [
  { text: 'Waymark knows the project you work in: its code, and what was learned in earlier sessions.' },
  {
    set: 'memory',
    text: '- When a session starts: checkpoint_resume says where the work stood and what is next.',
  },
  {
    set: 'search',
    text:
      '- To find or understand code: search_code, before grep or reading files. Ask in a sentence, name a symbol, quote exact ' +
      'text or give a /regex/. The index is made and kept up to date by itself.',
  },
  {
    set: 'memory',
    text:
      '- Before you debug an error: remediation_search with its message. Once it is fixed and verified: remediation_save.\n' +
      '- Before you do what was done here before: skill_search. What did we learn or decide: checkpoint_search.\n' +
      '- Before you stop, and before context is lost: checkpoint_save with what is done, decided and next.',
  },
  {
    set: 'project',
    text:
      'Answers name the project they speak of. If it is the wrong one, or none: switch_project with the absolute path of the ' +
      'folder you work in, or pass it as project with a call. project_status says how the project was found.',
  },
];

/** Speaks of no tool that is not served. */
export function renderInstructions(toolsets: readonly Toolset[]): string {
  return LINES.filter(({ set }) => set === undefined || toolsets.includes(set))
    .map(({ text }) => text)
    .join('\n');
}
