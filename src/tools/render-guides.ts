/** How guides are put into words: each document fenced and labelled, the whole within the budget of an answer. */
import { cutToTokens, fence, type GuideDocument, type Memory } from '../memory/index.ts';
import { escapeControl } from '../text/index.ts';

const ANSWER_TOKENS = 6_000;

export function renderGuides(memory: Memory, documents: readonly GuideDocument[]): string {
  const each = Math.floor(ANSWER_TOKENS / Math.max(1, documents.length));
  const blocks = documents.map(({ category, name, text, origin }) => {
    const cut = cutToTokens(text, each);
    const label = origin === 'repository' ? 'a file of the repository' : 'a guide in the memory';
    const title = escapeControl(`${category}/${name}`);
    const body = fence({ label: `${label}, ${title}`, text: cut.text, newWord: memory.newId });
    return cut.isCut
      ? `${body}\n[cut: get_content with expressions=[${JSON.stringify(title)}] shows more of it]`
      : body;
  });
  return blocks.length === 0 ? 'No document matches.' : blocks.join('\n');
}

export function toGuideValue({ category, name, origin }: GuideDocument) {
  return { category: escapeControl(category), name: escapeControl(name), origin };
}
