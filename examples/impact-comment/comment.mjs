// What `waymark impact --json` says, as Markdown: node comment.mjs impact.json
import { readFileSync } from 'node:fs';

const MOST = 20;
const { from, files } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const tests = files.filter(({ isTest }) => isTest);
const others = files.filter(({ isTest }) => !isTest);

const count = (number, one, many) => `${number} ${number === 1 ? one : many}`;
// A path may hold anything but a line break: a fence of its own length keeps it text.
const code = (path) => {
  const fence = '`'.repeat(1 + Math.max(0, ...[...path.matchAll(/`+/g)].map(([ticks]) => ticks.length)));
  const space = path.startsWith('`') || path.endsWith('`') ? ' ' : '';
  return `${fence}${space}${path}${space}${fence}`;
};

const lines = [
  `**${count(from.length, 'changed file', 'changed files')} may reach ${count(files.length, 'other', 'others')}** (${count(tests.length, 'test file', 'test files')})`,
];
if (tests.length > 0)
  lines.push(
    '',
    `Run: ${tests
      .slice(0, MOST)
      .map(({ path }) => code(path))
      .join(', ')}`,
  );
if (others.length > 0) {
  lines.push('', '| file | reached through | imports away |', '|---|---|---|');
  for (const { path, via, distance } of others.slice(0, MOST))
    lines.push(`| ${code(path)} | ${code(via)} | ${distance} |`);
}
if (others.length > MOST)
  lines.push('', `… and ${others.length - MOST} more: \`waymark impact --branch base\``);
process.stdout.write(`${lines.join('\n').replaceAll('\u0000', '')}\n`);
