/** Known projects as the front sees them: kept by the engine. */
import type { KnownProjects } from '../project/index.ts';
import type { Engine } from './port.ts';

export function createRemoteProjects(
  engine: () => Pick<Engine, 'knownProjects' | 'projectsNamed' | 'rememberProject'>,
): KnownProjects {
  return {
    async list(limit, mayName = () => true) {
      const known = await engine().knownProjects({});
      return known.filter(({ root }) => mayName(root)).slice(0, limit);
    },
    byName: (name) => engine().projectsNamed({ name }),
    remember(project) {
      // The engine logs what goes wrong; a call never fails for want of a note.
      engine()
        .rememberProject({ project })
        .catch(() => {});
    },
  };
}
