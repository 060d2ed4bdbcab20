/** Files by their own names, whatever the case and the joints: `SessionStore` is `session_store.py`. */
import type { View } from './view.ts';

export function createFileNames(view: View): (name: string) => readonly number[] {
  let byName: Map<string, number[]> | undefined;
  const load = (): Map<string, number[]> => {
    const names = new Map<string, number[]>();
    for (const { files, firstFile } of view.segments) {
      files.forEach(({ path }, at) => {
        const name = bare(path.slice(path.lastIndexOf('/') + 1).replace(/(.)\.[^.]*$/, '$1'));
        const list = names.get(name);
        if (list === undefined) names.set(name, [firstFile + at]);
        else list.push(firstFile + at);
      });
    }
    return names;
  };
  return (name) => (byName ??= load()).get(bare(name)) ?? [];
}

function bare(name: string): string {
  return name.replaceAll(/[_.-]/g, '').toLowerCase();
}
