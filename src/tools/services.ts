/** What tools work with; the application provides it. A new service is one line here and one in app.ts. */
import type { Indexing } from '../indexing/index.ts';
import type { Memory } from '../memory/index.ts';
import type { KnownProjects } from '../project/index.ts';
import type { Search } from '../search/index.ts';

export interface ToolServices {
  readonly indexing: Indexing;
  readonly search: Search;
  readonly memory: Memory;
  readonly known: Pick<KnownProjects, 'remember'>;
}
