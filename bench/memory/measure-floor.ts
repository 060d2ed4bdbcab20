/** How often a question without an answer shows an entry all the same, in a large and in a small memory. */
import { join } from 'node:path';
import type { EntryDraft } from '../../src/memory/index.ts';
import type { EntryKind } from '../../src/storage/index.ts';
import { AUTHOR, openPlainMemory, ROOT } from '../../test/support/plain-memory.ts';
import { readRecorded } from './recorded-sessions.ts';
import { readDrafts, readForeignQuestions, readQuestions } from './recall-set.ts';

const MOST_SHOWN = 0.05;
const FIRST = 5;
/** Every so-many-th entry makes a small memory. */
const SMALL = 25;

/** Facts and guides, whose few words are soon near a question: what recorded sessions decided and came upon. */
function shortDrafts(): readonly (readonly [string, EntryDraft])[] {
  return readRecorded().flatMap(({ decisions, asked, cause, open }, at) => [
    ...decisions.map((content, n) => [`fact-${at}-${n}`, { kind: 'fact', content }] as const),
    [`guide-${at}`, { kind: 'guide', name: asked, content: [cause, ...open].join('\n') }] as const,
  ]);
}

export async function measureFloor(
  folder: string,
  kinds: readonly EntryKind[],
  listWrong: boolean,
): Promise<boolean> {
  const foreign = readForeignQuestions();
  process.stdout.write(
    `\n| ${foreign.length} questions without an answer | show an entry | goal | | questions with one: right entry shown or named | shown in full |\n|---|---|---|---|---|---|\n`,
  );
  let isMet = true;
  for (const step of [1, SMALL]) {
    const memory = openPlainMemory(join(folder, `floor-${step}`));
    const names = new Map<string, string>();
    const drafts = [...readDrafts(), ...shortDrafts()].filter((_, at) => at % step === 0);
    for (const [name, draft] of drafts) names.set((await memory.save(ROOT, AUTHOR, draft)).entry.id, name);
    const ask = (text: string) => memory.recall(ROOT, { text, kinds, limit: FIRST });
    let wrong = 0;
    for (const question of foreign) {
      const [first] = (await ask(question)).hits;
      if (first === undefined) continue;
      wrong += 1;
      if (listWrong)
        process.stdout.write(
          `shown: ${JSON.stringify(question)} ${first.entry.name}: ${first.reasons.join('; ')}\n`,
        );
    }
    const kept = new Set(drafts.map(([name]) => name));
    const questions = readQuestions().filter(({ want }) => want.some((name) => kept.has(name)));
    const right = { named: 0, shown: 0 };
    for (const { q, want } of questions) {
      const { hits, nearest } = await ask(q);
      const isWanted = ({ id }: { readonly id: string }): boolean => want.includes(names.get(id) ?? '');
      const isShown = hits.some(({ entry }) => isWanted(entry));
      if (isShown) right.shown += 1;
      if (isShown || nearest.some(isWanted)) right.named += 1;
    }
    await memory.close();
    const share = wrong / foreign.length;
    isMet &&= share <= MOST_SHOWN;
    process.stdout.write(
      `| in a memory of ${drafts.length} entries | ${(100 * share).toFixed(1)} % | ${100 * MOST_SHOWN} % | ${share <= MOST_SHOWN ? 'met' : 'missed'} | ${right.named} of ${questions.length} | ${right.shown} |\n`,
    );
  }
  return isMet;
}
