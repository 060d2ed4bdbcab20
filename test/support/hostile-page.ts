/** Text that would run if a page took it for markup, for every field that a client, a repository or a saved note can fill. */
import type { Page } from 'playwright-core';
import { show } from './page-browser.ts';

/** Each calls `pwned` with its number if it runs. */
const PAYLOADS: readonly ((at: number) => string)[] = [
  (at) => `<script>pwned(${at})</script>`,
  (at) => `<img src=x onerror=pwned(${at})>`,
  (at) => `<svg onload=pwned(${at})>`,
  (at) => `"><img src=x onerror=pwned(${at})>`,
  (at) => `'><svg/onload=pwned(${at})>`,
  (at) => `</pre></code><iframe srcdoc="<script>parent.pwned(${at})</script>"></iframe>`,
  (at) => `javascript:pwned(${at})`,
  (at) => `<a href="javascript:pwned(${at})" autofocus onfocus=pwned(${at})>x</a>`,
  (at) => `<details open ontoggle=pwned(${at})>x</details>`,
  (at) => `<input autofocus onfocus=pwned(${at})>`,
  (at) => `<math><mtext></mtext><img src=x onerror=pwned(${at})></math>`,
  (at) => `<style>@import 'javascript:pwned(${at})'</style>`,
  (at) => `\${pwned(${at})}`,
  (at) => `{{constructor.constructor('pwned(${at})')()}}`,
  (at) => `&lt;img src=x onerror=pwned(${at})&gt;`,
  (at) => `<template><script>pwned(${at})</script></template>`,
  (at) => `<object data="data:text/html,<script>pwned(${at})</script>"></object>`,
  (at) => `<base href="http://evil.example/"><form action="javascript:pwned(${at})"><button>x`,
  (at) => `<meta http-equiv=refresh content="0;url=javascript:pwned(${at})">`,
  (at) => `<body onload=pwned(${at})><video src=x onerror=pwned(${at})>`,
];

/** Turns around what stands beside it, or is not seen: as escapes on the page, as on a terminal. */
const MISLEADING: readonly ((at: number) => string)[] = [
  (at) => `\u202egnp.ts \u2066pwned(${at})\u2069`,
  (at) => `\u200bpwned(${at})\u200f\u061c`,
];

/** A name that a file may have: no slash, not too long. */
function fileName(text: string): string {
  return text.replaceAll('/', '∕').slice(0, 120);
}

export interface HostileText {
  /** The folder's own name is hostile too. */
  readonly folder: string;
  readonly files: Readonly<Record<string, string>>;
  readonly calls: readonly { readonly tool: string; readonly args: Readonly<Record<string, unknown>> }[];
  /** How many payloads that is. */
  readonly count: number;
}

/** `rounds` times each payload in each field. */
export function makeHostile(rounds: number): HostileText {
  let count = 0;
  const next = (make: (at: number) => string): string => make(count++);
  const branch = PAYLOADS.map((make) => fileName(next(make)).replaceAll(/[\s~^:?*[\\]/g, '_')).join('-');
  const files: Record<string, string> = {
    '.git/HEAD': `ref: refs/heads/${branch.slice(0, 200)}\n`,
    '.gitignore': PAYLOADS.map((make) => `${fileName(next(make)).replaceAll(/\s/g, '?')}.log\n`).join(''),
  };
  const calls: { tool: string; args: Record<string, unknown> }[] = [];
  for (let round = 0; round < rounds; round++)
    for (const make of [...PAYLOADS, ...MISLEADING]) {
      // In a name, as an import, in a comment, in a string, in what is defined and in a folder's name.
      const name = fileName(next(make));
      files[`src/${name}.ts`] =
        `import { hostile } from './${fileName(next(make)).replaceAll("'", '')}.ts';\n` +
        `/** ${next(make)} hostile */\nexport const hostile = ${JSON.stringify(next(make))};\n` +
        `export function hostile${count}() { return \`${next(make)}\`; }\n`;
      files[`${fileName(next(make))}/hostile.py`] = `# ${next(make)}\ndef hostile(): pass\n`;
      const text = { content: next(make), summary: next(make), tags: [next(make).slice(0, 60)] };
      const beside = { files: [next(make)], metadata: { [next(make)]: next(make) } };
      calls.push({ tool: 'checkpoint_save', args: { ...text, ...beside } });
      calls.push({ tool: 'search_code', args: { query: next(make) } });
      calls.push({ tool: 'remediation_save', args: { error: next(make), solution: next(make) } });
      calls.push({
        tool: 'skill_save',
        args: { name: `hostile ${count}`, content: next(make), when_to_use: next(make) },
      });
    }
  return { folder: fileName('<img src=x onerror=pwned(0)>'), files, calls, count };
}

/** Shows all that foreign text can reach; gives what ran and what became markup. */
export async function lookForHostile(
  page: Page,
  {
    root,
    screens,
    entries,
  }: { readonly root: string; readonly screens: readonly string[]; readonly entries: number },
): Promise<readonly string[]> {
  await page.evaluate(
    'globalThis.pwned = (at) => { document.title = `pwned ${at}`; throw new Error(`pwned ${at}`); }',
  );
  const found: string[] = [];
  const look = async (where: string): Promise<void> => {
    const markup = String(await page.evaluate(FOREIGN_MARKUP));
    if (markup !== '') found.push(`${where}: ${markup}`);
    if ((await page.title()).includes('pwned')) found.push(`${where}: it ran`);
    const misleading = String(await page.evaluate(MISLEADING_TEXT));
    if (misleading !== '') found.push(`${where}: shown as it is: ${misleading}`);
  };
  const open = (screen: string): Promise<void> =>
    show(page, `${screen}?${new URLSearchParams({ root }).toString()}`);
  const isText = async (place: string): Promise<void> => {
    const text = await page.locator(place).first().innerText();
    if (!/pwned\(\d+\)/.test(text)) found.push(`${place}: the text is not there at all`);
  };

  for (const screen of screens) {
    await open(screen);
    await look(screen);
  }
  await open('playground');
  await page.getByRole('searchbox', { name: 'Question' }).fill('hostile <script>pwned(2)</script>');
  await page.keyboard.press('Enter');
  await page.locator('.hit').first().waitFor();
  await look('hits');
  await isText('.hits');
  await open('memory');
  const titles = page.locator('.entry button.title');
  for (let at = 0; at < Math.min(entries, await titles.count()); at++) {
    await titles.nth(at).click();
    await page.locator('dialog pre').first().waitFor();
    await look('an entry');
    await isText('dialog');
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  }
  await open('coverage');
  await page.getByLabel('Why is this file not there?').fill('<img src=x onerror=pwned(3)>');
  await page.keyboard.press('Enter');
  await page.locator('.why-not .chip').waitFor();
  await look('why');
  await open('map');
  await page.locator('.node.folder, .alone button.link').first().click();
  await page.waitForSelector('.skeleton', { state: 'detached' });
  await look('a folder of the map');
  await open('live');
  await page.locator('.calls button.link').first().click();
  await page.locator('dialog pre').first().waitFor();
  await look('a call');
  await isText('dialog');
  return found;
}

/** What is shown with a character that is not seen or turns the order around. */
const MISLEADING_TEXT = String.raw`[...document.querySelectorAll('*')]
  .flatMap((element) => [
    ...[...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data),
    ...['title', 'aria-label'].map((name) => element.getAttribute(name) ?? ''),
  ])
  .filter((text) => /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069]/.test(text))
  .map((text) => escape(text).slice(0, 100)).join('\n')`;

/** Elements and attributes that the page itself never makes. */
const FOREIGN_MARKUP = `[...document.querySelectorAll('*')]
  .filter((element) =>
    ['IFRAME', 'OBJECT', 'EMBED', 'IMG', 'VIDEO', 'BASE', 'TEMPLATE', 'STYLE', 'MATH'].includes(element.tagName) ||
    (element.tagName === 'SCRIPT' && element.getAttribute('src') !== '/ui/page.js') ||
    [...element.attributes].some(({ name, value }) => name.startsWith('on') || (/^(?:href|src|action|data)$/.test(name) && /^\\s*(?:javascript|data):/i.test(value))))
  .map((element) => element.outerHTML.slice(0, 200)).join('\\n')`;
