import { userInfo } from 'node:os';

/** What the system calls the user; systems without accounts have no name for them. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
