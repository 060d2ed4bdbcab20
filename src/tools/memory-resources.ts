/** Resources by template: what a project has learned, for clients that let people pick it. Tools give the same. */
import type { Detection } from '../core/index.ts';
import { fence } from '../memory/index.ts';
import { renderGuides } from './render-guides.ts';
import { renderEntry, renderOrigin, withName } from './render-memory.ts';
import { renderProjectLine } from './render-project.ts';
import type { ToolServices } from './define-tool.ts';

export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: 'waymark://project/{id}/{part}',
    name: 'project-memory',
    title: 'What a project has learned',
    description:
      'stats, checkpoints, skills or guides of a project; id is `current`, a known name or an encoded path.',
  },
  {
    uriTemplate: 'waymark://project/{id}/entry/{entry}',
    name: 'memory-entry',
    title: 'One entry of the memory',
    description: 'A checkpoint, fix, skill or guide by its id.',
  },
] as const;

export interface MatchedResource {
  /** The project it names; undefined for the one Waymark finds. */
  readonly project: string | undefined;
  /** Undefined if there is no such thing. */
  readonly read: (detection: Detection, services: ToolServices) => Promise<string | undefined>;
}

const PARTS = ['stats', 'checkpoints', 'skills', 'guides'] as const;
type Part = (typeof PARTS)[number];
const MOST_ENTRIES = 20;
const URI = /^waymark:\/\/project\/([^/?#]{1,4096})\/([a-z]{1,20})(?:\/([\w-]{1,64}))?$/;

export function matchResource(uri: string): MatchedResource | undefined {
  const [, id = '', part, entry] = URI.exec(uri) ?? [];
  const name = decoded(id);
  if (name === undefined || name === '') return undefined;
  const project = name === 'current' ? undefined : name;
  if (part === 'entry' && entry !== undefined)
    return { project, read: (detection, services) => readEntry(detection, services, entry) };
  const known = PARTS.find((candidate) => candidate === part);
  if (known === undefined || entry !== undefined) return undefined;
  return { project, read: (detection, services) => readPart(detection, services, known) };
}

async function readPart(
  detection: Detection,
  { engine, newWord }: ToolServices,
  part: Part,
): Promise<string | undefined> {
  if (detection.kind !== 'found') return undefined;
  const { root } = detection.project;
  const head = renderProjectLine(detection);
  if (part === 'guides') return `${head}\n${renderGuides(await engine.listGuides({ root }), newWord)}`;
  if (part === 'stats') {
    const sizes = await engine.memorySizes({ root });
    return [head, ...sizes.map(({ kind, count }) => `${kind}: ${count}`)].join('\n');
  }
  const kinds = [part === 'skills' ? 'skill' : 'checkpoint'] as const;
  const found = await engine.listEntries({ root, kinds, limit: MOST_ENTRIES });
  const blocks = found.map(
    ({ entry }) =>
      `${entry.id}\n${fence({ label: renderOrigin(entry), text: withName(entry.name, entry.summary), newWord })}`,
  );
  return [head, ...(blocks.length === 0 ? ['Nothing yet.'] : blocks)].join('\n');
}

async function readEntry(
  detection: Detection,
  { engine, newWord }: ToolServices,
  id: string,
): Promise<string | undefined> {
  if (detection.kind !== 'found') return undefined;
  const stored = await engine.getEntry({ root: detection.project.root, id });
  if (stored === undefined || stored.deletedAt !== undefined) return undefined;
  const { entry } = stored;
  const body = fence({
    label: renderOrigin(entry),
    text: renderEntry(entry),
    newWord,
  });
  return `${renderProjectLine(detection)}\n${body}`;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
