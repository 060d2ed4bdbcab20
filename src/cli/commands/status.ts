import type { Detection } from '../../core/index.ts';
import { escapeControl } from '../../text/index.ts';
import type { Command } from '../command.ts';

/** Explains which project this directory belongs to, and how that is known. */
export const statusCommand: Command = {
  name: 'status',
  group: 'See what Waymark sees',
  summary: 'Say which project this is and how Waymark knows',
  examples: ['waymark status', 'waymark status --json'],
  places: ['mcp'],
  async run({ services, output }) {
    const { detector, indexing, engine } = await services();
    const { readMemoryFacts, renderFreshness, renderGit, renderHeadline, renderReports, toGitValue } =
      await import('../../tools/index.ts');
    const detection = await detector.detect({ transport: 'cli', explain: true });
    const root = detection.kind === 'found' ? detection.project.root : undefined;
    const git = root === undefined ? undefined : detector.git(root, 'cli');
    const index = root === undefined ? undefined : indexing.state(root);
    const learned = root === undefined ? undefined : await readMemoryFacts(engine, root);
    const next = nextStep(detection, index?.state);
    const lines = [
      renderHeadline(detection, [git && renderGit(git), index && renderFreshness(index), learned?.text]),
      'sources, most trusted first:',
      renderReports(detection),
      `next: ${escapeControl(next)}`,
    ];
    output.answer(lines.join('\n'), { ...detection, git: toGitValue(git), next });
    return detection.kind === 'found' ? 0 : 1;
  },
};

function nextStep(detection: Detection, index: string | undefined): string {
  if (detection.kind === 'refused') return 'correct what names the project: its path cannot be used';
  if (detection.kind === 'none')
    return 'change to the directory of your project, or set WAYMARK_PROJECT to its absolute path';
  if (index === 'missing') return `waymark index ${detection.project.root}`;
  return 'waymark search "where do we …"';
}
