/** opencode has plugins instead of hooks: one that runs the same commands, and hands over messages, as there is no transcript to read. */

export interface HookCommands {
  readonly start: string;
  readonly capture: string;
}

/** It fails in silence, and holds up no answer but the first of a session, for a second at most. */
export function opencodePlugin({ start, capture }: HookCommands): string {
  return `// Written by \`waymark setup\`: tells a session what was learned, and keeps what it did.
import { spawn } from 'node:child_process';

const START = ${JSON.stringify(start)};
const CAPTURE = ${JSON.stringify(capture)};
const BETWEEN_MS = 60_000;
const MOST_CHARS = 6_000_000;

function run(command, input, limitMs) {
  return new Promise((resolve) => {
    let text = '';
    const end = () => resolve(text);
    const child = spawn(command, { shell: true, stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true });
    setTimeout(end, limitMs).unref();
    child.on('error', end);
    child.on('close', end);
    child.stdout.on('data', (piece) => (text += piece));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

export const WaymarkPlugin = async ({ client, directory }) => {
  const told = new Map();
  const keptAt = new Map();
  const tell = (session) => {
    const input = JSON.stringify({ session_id: session, cwd: directory, source: 'startup' });
    if (!told.has(session)) told.set(session, run(START, input, 1_000));
    return told.get(session);
  };
  const keep = async (session) => {
    if (session === undefined || Date.now() - (keptAt.get(session) ?? 0) < BETWEEN_MS) return;
    keptAt.set(session, Date.now());
    const { data = [] } = await client.session.messages({ path: { id: session } });
    const lines = data.map((message) => JSON.stringify(message));
    // Of a very long session the end: what was kept of its beginning stays.
    let from = lines.length;
    for (let size = 0; from > 0 && size + lines[from - 1].length < MOST_CHARS; from -= 1)
      size += lines[from - 1].length;
    const head = { session_id: session, cwd: directory, hook_event_name: 'Stop', is_end: from > 0 };
    await run(CAPTURE, [JSON.stringify(head), ...lines.slice(from)].join('\\n'), 20_000);
  };
  return {
    'experimental.chat.system.transform': async ({ sessionID }, { system }) => {
      const text = sessionID === undefined ? '' : (await tell(sessionID)).trim();
      if (text !== '') system.push(text);
    },
    'experimental.session.compacting': async ({ sessionID }) => {
      keptAt.delete(sessionID);
      await keep(sessionID).catch(() => {});
    },
    event: async ({ event }) => {
      if (event.type === 'session.idle') await keep(event.properties.sessionID).catch(() => {});
    },
  };
};`;
}
