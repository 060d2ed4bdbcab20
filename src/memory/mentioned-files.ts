/** The project files a text speaks of. Pure. */
const PATH = /(?<![\w/.@-])(?:[\w@-][\w.@-]{0,80}\/){0,12}[\w@-][\w.@-]{0,80}\.[A-Za-z][\w]{0,7}(?![\w/-])/g;
const MOST_CHARS = 100_000;

/** In the order they are first mentioned; whether they exist is for the caller to find out. */
export function mentionedFiles(text: string, most: number): readonly string[] {
  const found = new Set<string>();
  for (const [path] of text.slice(0, MOST_CHARS).matchAll(PATH)) {
    if (path.split('/').includes('..')) continue;
    found.add(path);
    if (found.size >= most) break;
  }
  return [...found];
}
