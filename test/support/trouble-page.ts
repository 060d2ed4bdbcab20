/** docs/guides/troubleshooting.md, made from everything the doctor can find. */
import { FINDINGS } from '../../src/clients/index.ts';

export function troublePage(): string {
  const rows = Object.entries(FINDINGS)
    .filter(([, { todo }]) => todo !== '')
    .map(([id, { means, todo }]) => `| \`${id}\` | ${means} | ${todo} |`);
  return `${[
    '<!-- made by `npm run reference` from src/clients/doctor/finding.ts -->',
    '# If something does not work',
    '```sh\nwaymark doctor            # looks at everything and says what to do; exit code 1 if something is wrong\nwaymark doctor --json     # the same for programs\nwaymark doctor --bundle   # writes a report for a bug report, without secrets\n```',
    'It looks at Node, SQLite, the directories and who can read them, the disk, the databases, the index of the project you are in, running servers, and the entry of every client, which it starts and greets as that client would. It changes nothing.',
    '## What it finds',
    ['| id | what it means | what to do |', '|---|---|---|', ...rows].join('\n'),
    '## What it cannot see',
    'Which project a client has open: ask the agent to call `project_status`, or put `waymark probe` in place of `waymark mcp` ([clients](clients.md)). Whether a client has read its file again: restart it.',
    'Waymark was tried on Linux with Node 20, 22 and 24. macOS and Windows were not tried.',
  ].join('\n\n')}\n`;
}
