/** A home of its own for one agent and one transport, with projects in it. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { git, makeRepository } from '../../support/git.ts';

/** What the agent is asked about, with an indent that must survive. */
export const CODE_PATH = 'src/session/session-store.ts';
export const CODE = `export interface Session {
  readonly user: string;
  readonly lastSeen: number;
}

/** Keeps the sessions of users that are logged in. */
export class SessionStore {
  private readonly sessions = new Map<string, Session>();

  /** Removes every session that was idle for too long. */
  expireIdleSessions(now: number, idleMs: number): number {
    let expired = 0;
    for (const [id, session] of this.sessions) {
      if (now - session.lastSeen < idleMs) continue;
      this.sessions.delete(id);
      expired += 1;
    }
    return expired;
  }
}
`;

export interface Workspace {
  readonly home: string;
  readonly repository: string;
  /** Inside the repository, with nothing that marks a project. */
  readonly subfolder: string;
  readonly second: string;
  readonly withoutGit: string;
  remove(): void;
}

export function makeWorkspace(folder: string): Workspace {
  const home = join(folder, 'home');
  const work = join(home, 'work');
  const workspace: Workspace = {
    home,
    repository: join(work, 'shop'),
    subfolder: join(work, 'shop', 'services', 'billing'),
    second: join(work, 'depot'),
    withoutGit: join(work, 'papers'),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
  writeFiles(workspace.repository, {
    [CODE_PATH]: CODE,
    'src/price.ts': 'export function priceOf(id: string): number {\n  return id.length * 50;\n}\n',
    'services/billing/invoice.py': 'def render_invoice(number):\n    return f"invoice {number}"\n',
  });
  writeFiles(workspace.second, {
    'lib/shelf.ts': 'export function openShelf(row: number): string {\n  return `shelf ${row}`;\n}\n',
  });
  writeFiles(workspace.withoutGit, { 'notes/plan.md': '# Plan\n\nThe harvest begins in autumn.\n' });
  for (const root of [workspace.repository, workspace.second]) {
    makeRepository(root);
    git(root, 'add', '.');
    git(root, 'commit', '-q', '-m', 'files');
  }
  return workspace;
}

export function writeFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
}
