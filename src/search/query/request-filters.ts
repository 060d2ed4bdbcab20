/** The filters that are given as arguments beside a query. */
import type { SearchRequest } from '../show/hit.ts';
import { requireKind, type Filters } from './parse-query.ts';

export function toFilters(request: SearchRequest): Partial<Filters> {
  const { changed, branch } = request;
  // Some clients send an empty text for what they leave out.
  const [languages, paths, kinds, symbols] = [
    request.languages,
    request.paths,
    request.kinds,
    request.symbols,
  ].map((values) => values?.filter((value) => value !== ''));
  return {
    ...(languages === undefined ? {} : { languages }),
    ...(paths === undefined
      ? {}
      : {
          paths: paths.filter((path) => !path.startsWith('!')),
          notPaths: paths.filter((path) => path.startsWith('!')).map((path) => path.slice(1)),
        }),
    ...(kinds === undefined ? {} : { kinds: kinds.map(requireKind) }),
    ...(symbols === undefined ? {} : { symbols }),
    ...(changed === undefined ? {} : { changed }),
    ...(branch === undefined || branch === '' ? {} : { branch }),
  };
}
