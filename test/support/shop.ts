/** A small project under version control, and a large one. */
import { tempFolder, type OnEnd, type TempFolder } from './temp-folder.ts';

export function shop(onEnd?: OnEnd): TempFolder {
  return tempFolder(
    {
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.gitignore': '*.log\n',
      'src/cart.ts': 'export function totalOf(items: number[]): number {\n  return items.length;\n}\n',
      'src/upload.py': 'def retry_failed_upload(queue):\n    return queue.pop()\n',
      'debug.log': 'noise\n',
    },
    onEnd,
  );
}

/** More than a call waits for: many files, each small. */
export function warehouse(files: number, onEnd?: OnEnd): TempFolder {
  const lines = Array.from(
    { length: 12 },
    (_, at) => `// Shelf ${at} holds what nobody asked for this year.`,
  );
  const named = Array.from({ length: files }, (_, at): [string, string] => [
    `src/aisle-${at % 50}/box-${at}.ts`,
    `export function openBox${at}(): number {\n  return ${at};\n}\n${lines.join('\n')}\n`,
  ]);
  return tempFolder({ '.git/HEAD': 'ref: refs/heads/main\n', ...Object.fromEntries(named) }, onEnd);
}
