/** Projects seen before, out of a catalogue. Noting one never makes a call wait, and each is noted once in a while. */
import type { Clock, Logger, Project } from '../core/index.ts';

export interface KnownProjects {
  /** Most recently used first; only those that `mayName` lets through. */
  list(limit: number, mayName?: (root: string) => boolean): Promise<readonly Project[]>;
  /** Roots of every known project with this name. */
  byName(name: string): Promise<readonly string[]>;
  /** Notes that a project is in use. Never fails and never makes a call wait. */
  remember(project: Project): void;
}

/** The part of a catalogue this needs; the storage room has one. */
export interface Catalogue {
  remember(project: Project & { readonly seenAt: number }): Promise<void>;
  list(options: { readonly limit: number }): Promise<readonly (Project & { readonly seenAt: number })[]>;
  byName(name: string): Promise<readonly Project[]>;
}

export interface CataloguedProjectsOptions {
  /** Whether there is a catalogue: asking what is known must not make one. */
  readonly exists: () => Promise<boolean>;
  readonly open: () => Promise<Catalogue>;
  /** A project with a secret in its path or name is served, and not noted. */
  readonly mayKeep?: (project: Project) => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface CataloguedProjects extends KnownProjects {
  /** Resolves when what was to be noted is noted. */
  settled(): Promise<void>;
}

const NOTE_EVERY_MS = 60_000;
/** The call that the project was found for goes first: opening the catalogue costs as much as a small save. */
const NOTE_AFTER_MS = 1_000;
/** One command after the other in the same project: the order stays right, and each is spared five waits on the disk. */
const SEEN_EVERY_MS = 10 * 60_000;
const MAX_NOTED = 1_000;
const MAX_KNOWN = 10_000;

export function createKnownProjects({
  exists,
  open,
  mayKeep = () => true,
  clock,
  logger,
}: CataloguedProjectsOptions): CataloguedProjects {
  const notedAt = new Map<string, number>();
  let unwritten: Project[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let lastSeenAt = 0;

  const note = async (project: Project): Promise<void> => {
    try {
      const catalogue = await open();
      const now = clock.now();
      const [latest] = await catalogue.list({ limit: 1 });
      const isLatest = latest?.root === project.root && latest.name === project.name;
      if (isLatest && latest.seenAt <= now && now - latest.seenAt < SEEN_EVERY_MS) return;
      // Two projects of one millisecond still have an order, and "the latest first" is by it.
      lastSeenAt = Math.max(now, lastSeenAt + 1);
      await catalogue.remember({ ...project, seenAt: lastSeenAt });
    } catch (thrown) {
      logger.warn('a project could not be noted', {
        reason: thrown instanceof Error ? thrown.message : 'unknown',
      });
    }
  };

  const write = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    for (const project of unwritten) writing = writing.then(() => note(project));
    unwritten = [];
    return writing;
  };

  return {
    remember(project) {
      const now = clock.elapsed();
      const last = notedAt.get(project.root);
      if (last !== undefined && now - last < NOTE_EVERY_MS) return;
      if (notedAt.size >= MAX_NOTED) notedAt.clear();
      notedAt.set(project.root, now);
      if (!mayKeep(project)) return;
      unwritten.push(project);
      timer ??= setTimeout(() => void write(), NOTE_AFTER_MS).unref();
    },
    async list(limit, mayName = () => true) {
      await write();
      if (!(await exists())) return [];
      try {
        // All of them, because the first ones may be none that this caller may hear of.
        const known = await (await open()).list({ limit: MAX_KNOWN });
        const named: Project[] = [];
        for (const { root, name } of known) {
          if (named.length >= limit) break;
          if (mayName(root)) named.push({ root, name });
        }
        return named;
      } catch (thrown) {
        // These are only suggestions: the answer they belong to must not fail for want of them.
        logger.warn('known projects could not be listed', {
          reason: thrown instanceof Error ? thrown.message : 'unknown',
        });
        return [];
      }
    },
    async byName(name) {
      await write();
      if (!(await exists())) return [];
      return (await (await open()).byName(name)).map(({ root }) => root);
    },
    settled: write,
  };
}
