/** Foreign text in every field that it can reach: what runs, what is refused, and what becomes markup. */
import type { Browser } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openClient } from '../support/clients.ts';
import { openPage, show } from '../support/page-browser.ts';
import { tempFolder, type OnEnd } from '../support/temp-folder.ts';

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
  (at) => `<base href="http://evil.example/"><form action="http://evil.example/${at}"><button>x`,
  (at) => `<meta http-equiv=refresh content="0;url=javascript:pwned(${at})">`,
  (at) => `<body onload=pwned(${at})><video src=x onerror=pwned(${at})>`,
];

/** Of 20 payloads each in 15 fields. */
export const HOSTILE_COUNT = PAYLOADS.length * 15;

/** A name that a file may have: no slash, not too long. */
function fileName(text: string): string {
  return text.replaceAll('/', '∕').slice(0, 120);
}

export interface HostileParts {
  readonly url: string;
  readonly link: string;
  readonly browser: Browser;
  readonly onEnd: OnEnd;
}

/** Puts every payload into every field that a client, a repository or a saved note can fill. */
export async function plant({
  url,
  onEnd,
}: HostileParts): Promise<{ readonly root: string; readonly planted: number }> {
  let planted = 0;
  const next = (make: (at: number) => string): string => make(planted++);
  const files: Record<string, string> = {
    '.git/HEAD': `ref: refs/heads/${PAYLOADS.map((make) =>
      fileName(next(make)).replaceAll(/[\s~^:?*[\\]/g, '_'),
    )
      .join('-')
      .slice(0, 200)}\n`,
    '.gitignore': `${PAYLOADS.map((make) => `${fileName(next(make)).replaceAll(/\s/g, '?')}.log`).join('\n')}\n`,
  };
  for (const make of PAYLOADS) {
    const text = next(make);
    // In a name, in code, in a comment, in a string, as an import and as what is defined.
    files[`src/${fileName(next(make))}.ts`] =
      `import { hostile } from './${fileName(next(make)).replaceAll("'", '')}.ts';\n` +
      `/** ${next(make)} hostile */\nexport const hostile = ${JSON.stringify(text)};\n` +
      `export function hostile${planted}() { return \`${next(make)}\`; }\n`;
    files[`${fileName(next(make))}/hostile.py`] = `# ${next(make)}\ndef hostile(): pass\n`;
  }
  const folder = tempFolder({}, onEnd);
  const root = folder.join(fileName('<img src=x onerror=pwned(0)>'));
  folder.write(
    Object.fromEntries(
      Object.entries(files).map(([name, text]) => [`${root.slice(folder.path.length + 1)}/${name}`, text]),
    ),
  );
  const client = await openClient({
    kind: 'HTTP, version 1',
    url,
    name: '<img src=x onerror=pwned(1)>',
    onEnd,
  });
  const calls: [string, Record<string, unknown>][] = PAYLOADS.flatMap(
    (make): [string, Record<string, unknown>][] => [
      [
        'checkpoint_save',
        {
          content: next(make),
          summary: next(make),
          tags: [next(make).slice(0, 60)],
          files: [next(make)],
          metadata: { [next(make)]: next(make) },
        },
      ],
      ['search_code', { query: next(make) }],
    ],
  );
  await client.call('index_codebase', { project: root });
  for (const [tool, args] of calls) await client.call(tool, { ...args, project: root });
  await client.call('remediation_save', {
    error: next(PAYLOADS[1] ?? String),
    solution: next(PAYLOADS[2] ?? String),
    project: root,
  });
  await client.call('skill_save', {
    name: 'hostile',
    content: next(PAYLOADS[0] ?? String),
    when_to_use: next(PAYLOADS[3] ?? String),
    project: root,
  });
  await client.call(next(PAYLOADS[1] ?? String), {}).catch(() => {});
  return { root, planted };
}

export function describeHostile(
  server: () => HostileParts & { newLink(): Promise<string> },
  screens: readonly string[],
) {
  describe('R151 foreign text', () => {
    test(`of ${HOSTILE_COUNT} payloads and more, in every field that foreign text reaches, none runs and none becomes markup`, async () => {
      const parts = server();
      const { root, planted } = await plant(parts);
      const { page, troubles, strayed } = await openPage(parts.browser, await parts.newLink());
      await page.evaluate(
        'globalThis.pwned = (at) => { document.title = `pwned ${at}`; throw new Error(`pwned ${at}`); }',
      );
      const found: string[] = [];
      const look = async (where: string): Promise<void> => {
        const markup: unknown = await page.evaluate(FOREIGN_MARKUP);
        if (String(markup) !== '') found.push(`${where}: ${String(markup)}`);
        if ((await page.title()).includes('pwned')) found.push(`${where}: it ran`);
      };

      for (const screen of screens) {
        await show(page, `${screen}?${new URLSearchParams({ root }).toString()}`);
        await look(screen);
      }
      await show(page, `playground?${new URLSearchParams({ root }).toString()}`);
      await page.getByRole('searchbox', { name: 'Question' }).fill('hostile <script>pwned(2)</script>');
      await page.keyboard.press('Enter');
      await page.locator('.hit').first().waitFor();
      await look('hits');
      await show(page, `memory?${new URLSearchParams({ root }).toString()}`);
      await page.locator('.entry button.title').first().click();
      await page.locator('dialog pre').first().waitFor();
      await look('an entry');
      // It is there all the same, as text.
      expect(await page.locator('dialog').innerText()).toMatch(/pwned\(\d+\)/);
      await page.keyboard.press('Escape');
      await show(page, `coverage?${new URLSearchParams({ root }).toString()}`);
      await page.getByLabel('Why is this file not there?').fill('<img src=x onerror=pwned(3)>');
      await page.keyboard.press('Enter');
      await page.locator('.why-not .chip').waitFor();
      await look('why');
      await show(page, 'live');
      await page.locator('.calls button.link').first().click();
      await page.locator('dialog pre').first().waitFor();
      await look('a call');

      expect(planted).toBeGreaterThanOrEqual(HOSTILE_COUNT);
      expect(found).toEqual([]);
      // A refusal of the policy would mean that something became markup after all.
      expect(troubles).toEqual([]);
      expect(strayed).toEqual([]);
      await page.context().close();
    });
  });
}

/** Elements and attributes that the page itself never makes. */
const FOREIGN_MARKUP = `[...document.querySelectorAll('*')]
  .filter((element) =>
    ['IFRAME', 'OBJECT', 'EMBED', 'IMG', 'VIDEO', 'BASE', 'TEMPLATE', 'STYLE', 'MATH'].includes(element.tagName) ||
    (element.tagName === 'SCRIPT' && element.getAttribute('src') !== '/ui/page.js') ||
    [...element.attributes].some(({ name, value }) => name.startsWith('on') || (/^(?:href|src|action|data)$/.test(name) && /^\\s*(?:javascript|data):/i.test(value))))
  .map((element) => element.outerHTML.slice(0, 200)).join('\\n')`;
