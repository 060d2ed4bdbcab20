/** A repository that is made to take long: cycles of re-exports, 100,000 definitions of one name, and endless lists of imports. */

const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** `imports` are the lines of each of 12 files: 15,360 make 10 MB altogether. */
export function hostileStructure(imports = 15_360): Record<string, string> {
  const files: Record<string, string> = { 'package.json': '{}' };
  // Every module gives on the names of all others, and none defines what is asked for.
  for (const at of range(60))
    files[`ring/m${at}.ts`] = range(60)
      .map((other) => `export * from './m${other}.ts';`)
      .join('\n');
  files['ring/user.ts'] = "import { missing } from './m0.ts';\nmissing();\nexport function asker() {}\n";
  for (const at of range(100))
    files[`same/s${at}.ts`] = range(1_000)
      .map(() => 'function same() {}')
      .join('\n');
  for (const at of range(12))
    files[`lists/l${at}.ts`] = range(imports)
      .map((line) => `import { a${line} } from './l${line % 12}.ts';`)
      .join('\n');
  files['lists/l0.ts'] += '\nexport function listed() {}\n';
  return files;
}
