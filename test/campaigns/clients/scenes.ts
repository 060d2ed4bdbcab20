/** What each agent is made to do, and in which folder. */
import type { Step } from './conversation.ts';
import type { Workspace } from './workspace.ts';

/** Text with an indent, quotes and letters beyond ASCII: all of it must arrive. */
export const CHECKPOINT = `Backoff is done in queue.ts.
  - next: the red test "gives up after 3" in worker.test.ts
  - decided: jitter of ±20 %, naïve clocks are fine`;
export const ERROR = 'EADDRINUSE: address already in use 127.0.0.1:4517';
export const SOLUTION = `Stop the old server first:
    lsof -ti :4517 | xargs kill
Then "npm start" works again.`;
export const SKILL = `1. npm run build
2. npm run release -- --tag "next"
   - wait for the ✓ of the registry`;
export const SECOND_CHECKPOINT = 'Shelves are numbered from 1 in the depot; rows follow.';
export const THIRD_CHECKPOINT = 'The papers are sorted by year.';

export const SCENES = ['repository', 'subfolder', 'second', 'withoutGit'] as const;
export type Scene = (typeof SCENES)[number];

export interface SceneScript {
  readonly folder: string;
  readonly steps: readonly Step[];
}

const STATUS: Step = { tool: 'project_status', args: {} };
const SEARCH: Step = { tool: 'search_code', args: { query: 'where are idle sessions expired' } };
const RESUME: Step = { tool: 'checkpoint_resume', args: { level: 'full' } };

export function sceneScripts(workspace: Workspace): Readonly<Record<Scene, SceneScript>> {
  const { repository, subfolder, second, withoutGit } = workspace;
  return {
    repository: { folder: repository, steps: [STATUS, SEARCH, save(CHECKPOINT), RESUME, ...FIX, ...HOW_TO] },
    subfolder: { folder: subfolder, steps: [STATUS, SEARCH, RESUME] },
    second: { folder: second, steps: [save(SECOND_CHECKPOINT), RESUME, STATUS] },
    withoutGit: { folder: withoutGit, steps: [save(THIRD_CHECKPOINT), RESUME, STATUS] },
  };
}

function save(content: string): Step {
  return { tool: 'checkpoint_save', args: { name: 'where things stand', content } };
}

const FIX: readonly Step[] = [
  { tool: 'remediation_save', args: { error: ERROR, solution: SOLUTION } },
  { tool: 'recall', args: { query: ERROR } },
];

const HOW_TO: readonly Step[] = [
  {
    tool: 'skill_save',
    args: { name: 'cut-a-release', when_to_use: 'When a version goes out', content: SKILL },
  },
  { tool: 'recall', args: { query: 'how do we cut a release' } },
];
