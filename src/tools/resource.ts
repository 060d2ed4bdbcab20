/** What an agent can read without calling anything. Nothing essential lives only here: not every client shows resources. */
import type { Detection, Scope } from '../core/index.ts';
import type { CallContext } from './define-tool.ts';
import { matchResource } from './memory-resources.ts';
import { renderProjectLine, renderReports } from './render-project.ts';

export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  readonly scope: Scope;
  readonly read: (detection: Detection) => Promise<string>;
}

const statusResource: Resource = {
  uri: 'waymark://project/status',
  name: 'project-status',
  title: 'Project status',
  description: 'Which project this is and what every source said about it.',
  mimeType: 'text/plain',
  scope: 'search',
  async read(detection) {
    return [renderProjectLine(detection), 'sources, most trusted first:', renderReports(detection)].join(
      '\n',
    );
  },
};

/** Every resource, in the order clients see them. */
export const RESOURCES: readonly Resource[] = [statusResource];

/** No address of ours is longer. */
const MOST_URI_CHARS = 8_192;

export interface ResourceText {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
}

/** Reads a resource by its URI. Undefined if there is no such thing. */
export async function readResource(
  uri: string,
  resources: readonly Resource[],
  { detect, services }: Pick<CallContext, 'detect' | 'services'>,
): Promise<ResourceText | undefined> {
  if (uri.length > MOST_URI_CHARS) return undefined;
  const resource = resources.find((candidate) => candidate.uri === uri);
  if (resource !== undefined) {
    const text = await resource.read(await detect(undefined, { explain: true }));
    return { uri, mimeType: resource.mimeType, text };
  }
  const found = matchResource(uri);
  if (found === undefined) return undefined;
  const text = await found.read(await detect(found.project, { explain: false }), services);
  return text === undefined ? undefined : { uri, mimeType: 'text/markdown', text };
}
