/** Servers that the cases of one test file share: over HTTP, what a case could leave behind belongs to its session. */
import { afterAll } from 'vitest';
import { collectEnds } from './temp-folder.ts';
import { serve, type RunOptions, type ServedWaymark } from './waymark.ts';

type SharedOptions = Pick<RunOptions, 'cwd' | 'env' | 'program'>;

/** Runs one `waymark serve` for each set of arguments that is asked for, and ends them all with the file. */
export function shareServers(): (
  args?: readonly string[],
  options?: SharedOptions,
) => Promise<ServedWaymark> {
  const { onEnd, end } = collectEnds();
  afterAll(end);
  const servers = new Map<string, Promise<ServedWaymark>>();
  return (args = [], options = {}) => {
    const key = JSON.stringify([args, options]);
    const known = servers.get(key) ?? serve(args, { ...options, onEnd });
    servers.set(key, known);
    return known;
  };
}
