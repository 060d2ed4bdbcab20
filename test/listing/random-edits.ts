/** Random changes to a tree: what people, editors and version control do to files and folders. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Random } from './random-tree.ts';

/** Makes one change below `root`, and returns the paths that an observer of folders would be told of. */
export function editTree(root: string, random: Random): readonly string[] {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.startsWith('.git/') && path !== '.git')
    .sort();
  const pick = (): string => paths[random(paths.length)] ?? 'made';
  const folders = ['', ...paths.filter((path) => lstatSync(join(root, path)).isDirectory())];
  const files = paths.filter((path) => lstatSync(join(root, path)).isFile());
  const inFolder = (name: string): string => join(folders[random(folders.length)] ?? '', name);
  const file = files[random(Math.max(files.length, 1))] ?? 'made';
  switch (random(11)) {
    case 0:
      return write(inFolder(`new-${random(4)}.ts`), 'export const one = 1;\n');
    case 1:
      return write(file, `${'x'.repeat(random(40))}\n`);
    case 2:
      return remove(pick());
    case 3:
      return move(pick(), inFolder(`moved-${random(4)}`));
    case 4:
      return write(
        inFolder('.gitignore'),
        ['*.log\n', 'a*\n', '!a\nb/\n', '/foo\n', '# nothing\n'][random(5)] ?? '',
      );
    case 5:
      return write(inFolder('.waymarkignore'), ['!*.log\n', 'c\n', '*.c\n'][random(3)] ?? '');
    case 6: {
      // Saved as editors do: beside it, then over it, with the old time and size.
      const { atime, mtime, size } = existsSync(join(root, file))
        ? lstatSync(join(root, file))
        : lstatSync(root);
      const beside = `${file}.tmp`;
      const told = write(beside, 'y'.repeat(size));
      utimesSync(join(root, beside), atime, mtime);
      return [...told, ...move(beside, file)];
    }
    case 7: {
      const path = pick();
      return [...remove(path), ...write(join(path, 'inside.ts'), 'export {};\n')];
    }
    case 8: {
      const path = inFolder(`link-${random(3)}`);
      if (existsSync(join(root, path))) return remove(path);
      rmSync(join(root, path), { force: true });
      symlinkSync('nowhere', join(root, path));
      return [path];
    }
    case 9:
      return write(inFolder('CACHEDIR.TAG'), 'Signature: 8a477f597d28d172789f06886806bc55\n');
    default: {
      if (!files.includes(file)) return [];
      chmodSync(join(root, file), 0o600 + random(2) * 0o44);
      return [file];
    }
  }

  function write(path: string, content: string): readonly string[] {
    const absPath = join(root, path);
    const above = dirname(absPath);
    if (existsSync(above) && !lstatSync(above).isDirectory()) return [];
    if (existsSync(absPath) && !lstatSync(absPath).isFile()) return [];
    const made = mkdirSync(above, { recursive: true });
    writeFileSync(absPath, content);
    return made === undefined ? [path] : [made.slice(root.length + 1), path];
  }

  function remove(path: string): readonly string[] {
    rmSync(join(root, path), { recursive: true, force: true });
    return [path];
  }

  function move(from: string, to: string): readonly string[] {
    if (!existsSync(join(root, from)) || `${to}/`.startsWith(`${from}/`)) return [];
    const target = join(root, to);
    if (existsSync(target) && lstatSync(target).isDirectory() !== lstatSync(join(root, from)).isDirectory())
      return [];
    if (existsSync(target) && lstatSync(target).isDirectory()) rmSync(target, { recursive: true });
    renameSync(join(root, from), target);
    return [from, to];
  }
}
