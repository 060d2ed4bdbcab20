/** Real git, without anybody's configuration. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

export function git(cwd: string, ...args: string[]): void {
  execFileSync('git', args, {
    cwd,
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'] ?? '',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_SYSTEM: '/dev/null',
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@example.com',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@example.com',
    },
  });
}

/** A repository with one commit on `trunk`. */
export function makeRepository(root: string): void {
  mkdirSync(root, { recursive: true });
  git(root, 'init', '-q', '-b', 'trunk');
  git(root, 'commit', '-q', '--allow-empty', '-m', 'first');
}
