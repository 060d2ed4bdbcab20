/** What was acknowledged, against what a memory holds: nothing may be missing, nothing twice. */
import { isMessage, rpc, type Json, type Message } from '../http/messages.ts';

export interface SavedKeys {
  /** A call that saves one; the key is noted once the answer came. */
  save(who: string, call: (message: Message) => Promise<Json>, project: string): Promise<string | undefined>;
  acknowledged(): number;
  /** `names` are those of every entry that is there. */
  compare(names: readonly string[]): {
    readonly missing: readonly string[];
    readonly doubled: readonly string[];
  };
}

export function createSavedKeys(): SavedKeys {
  const acknowledged = new Set<string>();
  let made = 0;
  return {
    async save(who, call, project) {
      const key = `${who}-${made++}`;
      const args = {
        project_path: project,
        name: key,
        content: `Done: ${key}. Next: what follows.`,
        idempotency_key: key,
      };
      const wrong = problemOf(
        await call(rpc(key, 'tools/call', { name: 'checkpoint_save', arguments: args })),
      );
      if (wrong === undefined) acknowledged.add(key);
      return wrong;
    },
    acknowledged: () => acknowledged.size,
    compare(names) {
      const there = new Set<string>();
      const doubled = names.filter((name) => there.size === there.add(name).size);
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
