/**
 * The last commits of trees as the database announces them, so that a search need not ask. An announcement is only a hint: without
 * a line that was heard of just now, the tree itself is asked.
 */
import { systemClock } from '../../platform/index.ts';
import type { Connection } from './driver.ts';
import { connectAs } from './release.ts';
import { CHANNEL, type Stamps } from './tree.ts';

export interface Generations {
  /** From now on; asking begins it, too. Its line also shows that this instance lives. */
  listen(): void;
  /** Undefined if it has to be asked for. */
  known(tree: number): Stamps | undefined;
  learn(tree: number, stamps: Stamps): void;
  /** It is no index any more. */
  forget(tree: number): void;
  close(): void;
}

const BEAT_MS = 500;
/** Without a sign of the database for this long nothing is believed. */
const SILENCE_MS = 1_500;

export function createGenerations(url: string): Generations {
  const stamps = new Map<number, Stamps>();
  let line: Connection | undefined;
  let heardAt = 0;
  let isOpening = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  const learn = (tree: number, now: Stamps): void => {
    const before = stamps.get(tree);
    const { max } = Math;
    stamps.set(
      tree,
      before === undefined
        ? now
        : { generation: max(before.generation, now.generation), history: max(before.history, now.history) },
    );
  };
  const hear = (payload: string): void => {
    const [tree, generation, history] = payload.split(' ').map(Number);
    if (tree === undefined) return;
    // Without numbers it was removed.
    if (generation === undefined || history === undefined) stamps.delete(tree);
    else learn(tree, { generation, history });
  };
  const drop = (): void => {
    line?.close();
    line = undefined;
    stamps.clear();
  };

  async function open(): Promise<void> {
    isOpening = true;
    try {
      const opened = await connectAs(url);
      opened.onNotice(hear);
      opened.onLost(drop);
      await opened.run(`LISTEN ${CHANNEL}`);
      if (isClosed) return opened.close();
      // What was learned before may have been overtaken unheard.
      stamps.clear();
      line = opened;
      heardAt = systemClock.elapsed();
    } finally {
      isOpening = false;
    }
  }
  async function beat(): Promise<void> {
    if (line === undefined) {
      if (!isOpening) await open();
      return;
    }
    if (systemClock.elapsed() - heardAt > SILENCE_MS) return drop();
    const asked = line;
    await asked.run('SELECT 1');
    if (line === asked) heardAt = systemClock.elapsed();
  }
  const isTrusted = (): boolean => line !== undefined && systemClock.elapsed() - heardAt <= SILENCE_MS;
  const listen = (): void => {
    if (timer !== undefined || isClosed) return;
    timer = setInterval(() => void beat().catch(() => {}), BEAT_MS);
    timer.unref();
    void beat().catch(() => {});
  };

  return {
    listen,
    known(tree) {
      listen();
      return isTrusted() ? stamps.get(tree) : undefined;
    },
    learn(tree, now) {
      if (isTrusted()) learn(tree, now);
    },
    forget: (tree) => void stamps.delete(tree),
    close() {
      isClosed = true;
      clearInterval(timer);
      drop();
    },
  };
}
