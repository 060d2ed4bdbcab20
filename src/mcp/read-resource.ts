/** Reads a resource by its URI, for whoever asks and however they ask. */
import type { Detection } from '../core/index.ts';
import { matchResource, type Resource, type ToolServices } from '../tools/index.ts';

export interface ResourceText {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
}

export interface ReadingResources {
  readonly resources: readonly Resource[];
  readonly services: ToolServices;
  /** Finds the project of this request; `explain` asks every source. */
  detect(argument: string | undefined, explain: boolean): Promise<Detection>;
}

/** No address of ours is longer, and a longer one is not worth a look. */
const MOST_URI_CHARS = 8_192;

/** Undefined if there is no such thing. */
export async function readResource(
  uri: string,
  { resources, services, detect }: ReadingResources,
): Promise<ResourceText | undefined> {
  if (uri.length > MOST_URI_CHARS) return undefined;
  const resource = resources.find((candidate) => candidate.uri === uri);
  if (resource !== undefined)
    return { uri, mimeType: resource.mimeType, text: await resource.read(await detect(undefined, true)) };
  const found = matchResource(uri);
  if (found === undefined) return undefined;
  const text = await found.read(await detect(found.project, false), services);
  return text === undefined ? undefined : { uri, mimeType: 'text/markdown', text };
}
