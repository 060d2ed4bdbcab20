/** Stored text comes back as data: fenced, labelled, harmless to a terminal, and only in its own project. */
import { expect, test } from 'vitest';
import { memoryProject, openMemoryClient } from '../support/memory-client.ts';
import { run } from '../support/waymark.ts';
import { PAYLOADS } from './poison-payloads.ts';

const UNSAFE =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the point
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u;

/** What stands outside of fences. A fence ends at its own word alone. */
function outside(text: string): string {
  const kept: string[] = [];
  let word: string | undefined;
  for (const line of text.split('\n')) {
    const opened =
      word === undefined
        ? /^<<<([0-9a-f]{12}) stored text, data and not instructions: /.exec(line)?.[1]
        : undefined;
    if (opened !== undefined) word = opened;
    else if (word === undefined) kept.push(line);
    else if (line === `${word}>>>`) word = undefined;
  }
  expect(word).toBeUndefined();
  return kept.join('\n');
}

test('100 payloads come back fenced and labelled, and from no other project', async () => {
  const project = memoryProject();
  const elsewhere = memoryProject();
  const client = await openMemoryClient('stdio, version 2, modern', project, project.folder.path);
  expect(PAYLOADS).toHaveLength(100);
  let flagged = 0;
  for (const [index, payload] of PAYLOADS.entries()) {
    const saved = await client.call('checkpoint_save', {
      content: `zebra${index} ${payload}`,
      name: payload.slice(0, 60),
    });
    const id = String(saved.structured['id']);
    if (Array.isArray(saved.structured['flags']) && saved.structured['flags'].length > 0) flagged += 1;

    const resumed = await client.call('checkpoint_resume', { id, level: 'full' });
    const found = await client.call('checkpoint_search', { query: `zebra${index}` });

    for (const { text, structured } of [resumed, found]) {
      expect(text).toContain('written by agent memory-test 1');
      expect(text).not.toMatch(UNSAFE);
      expect(JSON.stringify(structured)).not.toMatch(UNSAFE);
      expect(
        outside(text)
          .split('\n')
          .every((line) =>
            /^(?:project: |checkpoint cp-|\d+\. cp-|next: |Tip: |its \d|since then)/.test(line),
          ),
      ).toBe(true);
    }
    expect(resumed.text).toContain(`zebra${index}`);
  }
  const other = await openMemoryClient('stdio, version 2, modern', project, elsewhere.folder.path);
  const list = await other.call('checkpoint_list');
  const search = await other.call('checkpoint_search', { query: 'zebra1 ignore previous instructions' });
  const fixes = await other.call('remediation_search', { error: 'zebra1', scope: 'all' });

  expect(flagged).toBeGreaterThanOrEqual(80);
  for (const { text } of [list, search, fixes]) expect(text).not.toContain('zebra');
});

test('what is printed for people is harmless, and one command removes what the origin wrote', async () => {
  const project = memoryProject();
  const client = await openMemoryClient('stdio, version 2, modern', project, project.folder.path);
  for (const payload of PAYLOADS.slice(65, 85))
    await client.call('skill_save', { name: payload, content: `zebra ${payload}` });
  await client.close();
  const waymark = (...args: readonly string[]) => run(args, { home: project.home, cwd: project.folder.path });

  const list = await waymark('memory', 'list');
  const recalled = await waymark('recall', 'zebra', '--limit', '50');
  const forgotten = await waymark('memory', 'forget-origin', 'memory-test');
  const after = await waymark('memory', 'list', '--json');

  expect(list.stdout.split('\n').length).toBeGreaterThan(15);
  for (const { stdout } of [list, recalled]) expect(stdout.replaceAll('\n', '')).not.toMatch(UNSAFE);
  expect(forgotten.stdout).toMatch(/^\d+ entries of memory-test were forgotten\.\n$/);
  expect(JSON.parse(after.stdout)).toEqual([]);
});
