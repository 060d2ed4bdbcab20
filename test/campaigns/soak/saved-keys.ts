/**
 * What was acknowledged, against what a memory holds: nothing may be missing, nothing twice. Each client keeps a few entries and saves
 * new versions of them: what a server holds of every entry (its vector, half a kilobyte) would otherwise look like a leak.
 */
import { isMessage, rpc, type Json, type Message } from '../http/messages.ts';

export interface SavedKeys {
  /** A call that saves one; the key is noted once the answer came. */
  save(who: string, call: (message: Message) => Promise<Json>, project: string): Promise<string | undefined>;
  acknowledged(): number;
  /** `contents` are those of every entry that is there, and of every older version. */
  compare(contents: readonly string[]): {
    readonly missing: readonly string[];
    readonly doubled: readonly string[];
  };
}

const ENTRIES_PER_CLIENT = 20;

export function createSavedKeys(): SavedKeys {
  const acknowledged = new Set<string>();
  const made = new Map<string, number>();
  return {
    async save(who, call, project) {
      const number = made.get(who) ?? 0;
      made.set(who, number + 1);
      const key = `${who}-${number}`;
      const args = {
        project_path: project,
        name: `${who} ${number % ENTRIES_PER_CLIENT}`,
        content: `Done: ${key}. Next: what follows.`,
      };
      const wrong = problemOf(await call(rpc(key, 'tools/call', { name: 'skill_save', arguments: args })));
      if (wrong === undefined) acknowledged.add(key);
      return wrong;
    },
    acknowledged: () => acknowledged.size,
    compare(contents) {
      const found = contents.flatMap((content) => /^Done: (\S+)\./.exec(content)?.[1] ?? []);
      const there = new Set<string>();
      const doubled = found.filter((key) => there.size === there.add(key).size);
      return { missing: [...acknowledged].filter((key) => !there.has(key)), doubled };
    },
  };
}

/** Undefined for an answer with a result that is no error. */
export function problemOf(answer: Json): string | undefined {
  const result = isMessage(answer) ? answer['result'] : undefined;
  if (result !== undefined && isMessage(result) && result['isError'] !== true) return undefined;
  return JSON.stringify(answer).slice(0, 300);
}
