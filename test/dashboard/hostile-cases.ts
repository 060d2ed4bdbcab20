/** Foreign text in every field that it can reach. */
import type { Browser } from 'playwright-core';
import { expect, test } from 'vitest';
import { openClient } from '../support/clients.ts';
import { lookForHostile, makeHostile } from '../support/hostile-page.ts';
import { openPage } from '../support/page-browser.ts';
import { tempFolder, type OnEnd } from '../support/temp-folder.ts';

export interface HostileParts {
  readonly url: string;
  readonly browser: Browser;
  readonly screens: readonly string[];
  readonly onEnd: OnEnd;
  newLink(): Promise<string>;
}

export function describeHostile(parts: () => HostileParts): void {
  test('R151 of 300 payloads in every field that foreign text reaches, none runs and none becomes markup', async () => {
    const { url, browser, screens, onEnd, newLink } = parts();
    const { folder, files, calls, count } = makeHostile(1);
    const place = tempFolder({}, onEnd);
    place.write(Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text])));
    const root = place.join(folder);
    const name = '<img src=x onerror=pwned(1)>';
    const client = await openClient({ kind: 'HTTP, version 1', url, name, onEnd });
    await client.call('index_codebase', { project: root });
    for (const { tool, args } of calls) await client.call(tool, { ...args, project: root });

    const { page, troubles, strayed } = await openPage(browser, await newLink());
    const found = await lookForHostile(page, { root, screens, entries: 8 });

    expect(count).toBeGreaterThanOrEqual(300);
    expect(found).toEqual([]);
    // A refusal of the policy would mean that something became markup after all.
    expect([...troubles, ...strayed]).toEqual([]);
    await page.context().close();
  });
}
