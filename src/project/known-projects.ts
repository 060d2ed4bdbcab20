/** What this room wants to know of projects seen before; whoever keeps them provides it. */
import type { Project } from '../core/index.ts';

export interface KnownProjects {
  /** Most recently used first; only those that `mayName` lets through. */
  list(limit: number, mayName?: (root: string) => boolean): Promise<readonly Project[]>;
  /** Roots of every known project with this name. */
  byName(name: string): Promise<readonly string[]>;
  /** Notes that a project is in use. Never fails and never makes a call wait. */
  remember(project: Project): void;
}
