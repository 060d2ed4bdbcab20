/** The order of the site: what a reader wants to do first, the house last. A folder stands for all its pages. */

/** @type {readonly (readonly [title: string, pages: readonly string[]])[]} */
export const NAVIGATION = [
  ['Start', ['README.md', 'docs/guides/install.md', 'docs/guides/clients.md', 'docs/guides/clients/']],
  [
    'Use',
    [
      'docs/guides/search.md',
      'docs/guides/structure.md',
      'docs/guides/memory.md',
      'docs/guides/dashboard.md',
      'docs/guides/terminal.md',
      'docs/guides/indexing.md',
      'docs/guides/troubleshooting.md',
    ],
  ],
  [
    'Run a server',
    ['docs/guides/http.md', 'docs/guides/team.md', 'docs/guides/encoders.md', 'docs/reference/rest.md'],
  ],
  [
    'Keep it',
    [
      'docs/guides/upgrade.md',
      'docs/guides/remove.md',
      'docs/guides/privacy.md',
      'docs/SECURITY.md',
      'docs/guides/migrating.md',
      'docs/reference/config.md',
      'docs/guides/detect-project.md',
      'examples/',
    ],
  ],
  [
    'Trust it',
    [
      'docs/benchmarks.md',
      'docs/campaigns.md',
      'docs/clients-tried.md',
      'docs/platforms.md',
      'docs/conformance.md',
      'docs/contract.md',
      'docs/model.md',
      'CHANGELOG.md',
    ],
  ],
  [
    'Change it',
    [
      'docs/CONTRIBUTING.md',
      'docs/guides/add-a-language.md',
      'docs/ARCHITECTURE.md',
      'docs/CONVENTIONS.md',
      'docs/decisions/',
    ],
  ],
];

/**
 * The pages that are there, in this order; pages that are named nowhere come last, so that none is lost.
 *
 * @param {readonly import('./pages.mjs').Page[]} pages
 */
export function arrange(pages) {
  const left = new Map(pages.map((page) => [page.path, page]));
  const groups = NAVIGATION.map(([title, names]) => {
    const found = names.flatMap((name) =>
      name.endsWith('/')
        ? [...left.values()].filter(({ path }) => path.startsWith(name))
        : [left.get(name) ?? []].flat(),
    );
    for (const { path } of found) left.delete(path);
    return { title, pages: found };
  });
  return [...groups, { title: 'More', pages: [...left.values()] }].filter((group) => group.pages.length > 0);
}
