/**
 * The parser's children outlive the work they were started for a little: whoever saves a file saves the next one soon, and a child
 * that has its grammars at hand begins at once, where a new one takes a fifth of a second of processor time.
 */
import type { ExactParser, ExactParserParts } from '../languages/index.ts';

type Priority = NonNullable<ExactParserParts['priority']>;

export interface ParserLease {
  readonly parser: ExactParser;
  /** Once; of what was parsed, how much it was. */
  release(parsedBytes: number): void;
}

export interface ParserPool {
  /** One parser serves everybody who asks for the same priority. */
  take(priority: Priority): Promise<ParserLease>;
  /** Ends the children, also those at work. */
  close(): void;
}

/** So long nobody asks, and the children end: what is not parsing takes no memory. */
const IDLE_MS = 10_000;
/** Behind so much they have grown to twice their size, and who waited for it makes a large index ready next: they end at once. */
const KEPT_BELOW_BYTES = 8 * 1024 * 1024;

interface Kept {
  readonly parser: ExactParser;
  users: number;
  /** The most that one of them has had parsed. */
  parsedBytes: number;
  timer: NodeJS.Timeout | undefined;
}

export function createParserPool(parts: ExactParserParts | undefined): ParserPool {
  const kept = new Map<Priority, Kept>();

  async function open(priority: Priority): Promise<Kept> {
    // Most processes never parse, so what it takes is loaded here.
    const { createExactParser } = await import('../languages/index.ts');
    const known = kept.get(priority);
    if (known !== undefined) return known;
    const made = {
      parser: createExactParser({ ...parts, priority }),
      users: 0,
      parsedBytes: 0,
      timer: undefined,
    };
    kept.set(priority, made);
    return made;
  }

  return {
    async take(priority) {
      const one = await open(priority);
      clearTimeout(one.timer);
      one.users += 1;
      return {
        parser: one.parser,
        release(parsedBytes) {
          one.users -= 1;
          one.parsedBytes = Math.max(one.parsedBytes, parsedBytes);
          if (one.users > 0) return;
          const isGrown = one.parsedBytes >= KEPT_BELOW_BYTES;
          one.parsedBytes = 0;
          if (isGrown) one.parser.close();
          // Nobody stays alive for it.
          else one.timer = setTimeout(() => one.parser.close(), IDLE_MS).unref();
        },
      };
    },
    close() {
      for (const { parser, timer } of kept.values()) {
        clearTimeout(timer);
        parser.close();
      }
    },
  };
}
