/** The doctor's findings on the screen and as values. */
import { FINDINGS, type Finding } from '../../clients/index.ts';
import { escapeControl, hideSecrets } from '../../text/index.ts';
import type { Paint } from '../output.ts';
import { wrap } from '../setup/layout.ts';

export function renderFindings(findings: readonly Finding[], home: string, paint: Paint): string {
  const marks = { ok: paint.green('✓'), note: '·', problem: paint.red('✗') };
  const lines = findings.map(({ id, level, seen }) => {
    const what = wrap(clean(seen).replaceAll(home, '~'), '    ');
    const first = `  ${marks[level]} ${what}`;
    if (level === 'ok') return first;
    const { means, todo } = FINDINGS[id];
    return `${first}\n    ${paint.dim(wrap(means, '    '))}\n    → ${wrap(todo, '      ')}`;
  });
  const problems = findings.filter(({ level }) => level === 'problem').length;
  const last =
    problems === 0
      ? 'Nothing is wrong.'
      : `${problems} ${problems === 1 ? 'thing is' : 'things are'} wrong; the arrows say what to do.`;
  return [...lines, '', last].join('\n');
}

export function toFindingValue({ id, level, seen }: Finding): Record<string, string> {
  const { means, todo } = FINDINGS[id];
  return { id, level, seen: clean(seen), ...(level === 'ok' ? {} : { means, todo }) };
}

/** What was seen may be words of other programs. */
function clean(text: string): string {
  return hideSecrets(escapeControl(text));
}
