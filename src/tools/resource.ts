/** What an agent can read without calling anything. Nothing essential lives only here: not every client shows resources. */
import type { Detection } from '../core/index.ts';
import { renderProjectLine, renderReports } from './render-project.ts';

export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  readonly read: (detection: Detection) => Promise<string>;
}

const statusResource: Resource = {
  uri: 'waymark://project/status',
  name: 'project-status',
  title: 'Project status',
  description: 'Which project this is and what every source said about it.',
  mimeType: 'text/plain',
  async read(detection) {
    return [renderProjectLine(detection), 'sources, most trusted first:', renderReports(detection)].join(
      '\n',
    );
  },
};

/** Every resource, in the order clients see them. */
export const RESOURCES: readonly Resource[] = [statusResource];
