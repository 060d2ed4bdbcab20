/**
 * Golden screens: each at 80 and 160 columns, for dark and light terminals and with NO_COLOR, and what a pipe gets. In this process;
 * screens.test.ts plays the binary in a real terminal.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { pipe, see, shopMachine, type Machine } from '../support/screen.ts';
import { collectEnds } from '../support/temp-folder.ts';

let machine: Machine;

beforeAll(async () => {
  const { onEnd, end } = collectEnds();
  machine = shopMachine(onEnd);
  await pipe(machine, ['index', '--exact']);
  await pipe(machine, ['remember', 'Prices are in cents, and never in euros.', '--subject', 'prices']);
  await pipe(machine, ['remember', 'The cart keeps its items in a map; totals are next.', '--checkpoint']);
  return end;
});

const LOOKS = {
  dark: {},
  light: { COLORFGBG: '0;15' },
  plain: { NO_COLOR: '1' },
} as const;
const SIZES = [
  [80, 24],
  [160, 40],
] as const;

/** Colours as one reads them in a file; ids and times, which are others each time, as wide as they are. */
function readable(text: string): string {
  return text
    .replaceAll(machine.folder.path, '')
    .replaceAll('\u001b[', '␛')
    .replaceAll(/^(.*Waymark\S* (?:\S*m)?)\d+\.\d+\.\d+/gm, '$1VERSION')
    .replaceAll(/\b(cp|fact)-[0-9a-f]{12}\b/g, '$1-xxxxxxxxxxxx')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'YYYY-MM-DD HH:MM')
    .replaceAll(/\d{4}-\d\d-\d\d/g, 'YYYY-MM-DD')
    .replaceAll(/^( +)\d\d:\d\d /gm, '$1HH:MM ');
}

describe('golden screens, at two widths, in three looks, and piped', () => {
  test.each<readonly [name: string, args: readonly string[], cwd: string]>([
    ['home', [], 'shop'],
    ['home-no-project', [], 'empty'],
    ['status', ['status'], 'shop'],
    ['search', ['how', 'are', 'sessions', 'expired'], 'shop'],
    ['search-below', ['how', 'are', 'sessions', 'expired'], 'shop/src/session'],
    ['matches', ['search', '"session"', '--all', '--no-pager'], 'shop'],
    ['outline', ['outline'], 'shop'],
    ['outline-file', ['src/cart/cart.ts'], 'shop'],
    ['references', ['references', 'priceOf'], 'shop'],
    ['memory-list', ['memory', 'list'], 'shop'],
    ['recall', ['recall', 'how', 'are', 'prices', 'kept'], 'shop'],
    ['memory-timeline', ['memory', 'timeline'], 'shop'],
    ['deps', ['deps', 'src/cart/cart.ts'], 'shop'],
    ['impact', ['impact', 'src/cart/price.ts'], 'shop'],
    ['files', ['files'], 'shop'],
    ['stats', ['stats'], 'shop'],
    ['search-path', ['search', 'src/cart/cart.ts'], 'shop'],
    ['search-nothing', ['search', '"no such text"'], 'shop'],
    ['search-no-project', ['search', 'session'], 'empty'],
    ['help', ['help'], 'shop'],
    ['help-search', ['help', 'search'], 'shop'],
    ['help-memory', ['help', 'memory'], 'shop'],
    ['help-of-nothing', ['help', 'nope'], 'shop'],
    ['no-such-command', ['--versoin'], 'shop'],
  ])('%s', async (name, args, cwd) => {
    const parts: string[] = [];
    const tooWide: string[] = [];
    for (const size of SIZES) {
      const [columns] = size;
      const plain = await see(machine, args, { size, env: LOOKS.plain, cwd });
      const dark = await see(machine, args, { size, env: LOOKS.dark, cwd });
      const light = await see(machine, args, { size, env: LOOKS.light, cwd });
      parts.push(`── ${columns}, dark\n${dark.colored}`, `── ${columns}, light\n${light.colored}`);
      // The same words in all three: in the file they stand in colours, and so once only.
      expect([dark.screen, light.screen, plain.colored]).toEqual([plain.screen, plain.screen, plain.screen]);
      tooWide.push(...plain.screen.split('\n').filter((line) => line.length > columns));
    }
    const piped = await pipe(machine, args, cwd);
    parts.push(
      `── piped\n${piped.stdout}`,
      ...(piped.stderr === '' ? [] : [`── piped, errors\n${piped.stderr}`]),
    );

    expect(tooWide).toEqual([]);
    expect(piped.stdout + piped.stderr).not.toContain('\u001b');
    await expect(readable(parts.join('\n'))).toMatchFileSnapshot(`screens/${name}.txt`);
  });
});
