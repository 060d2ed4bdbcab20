/** A client that writes whatever bytes it is given, on connections it keeps for as long as the server does. */
import { connect, type Socket } from 'node:net';
import { createAnswerReader, type ExpectedAnswer, type WireAnswer } from './answer-reader.ts';
import type { Mutant } from './mutants.ts';

export interface Shot {
  readonly answers: readonly WireAnswer[];
  /** `answered`: everything promised came. `left`: nothing was promised and the server let go. */
  readonly kind: 'answered' | 'left' | 'hang' | 'no answer' | 'refused' | 'nonsense';
  readonly ms: number;
  readonly reason?: string;
}

export interface WireClient {
  shoot(mutant: Mutant): Promise<Shot>;
  close(): void;
}

export interface WireClientOptions {
  readonly port: number;
  /** Longer than this without the promised answer is a hang. */
  readonly patienceMs: number;
}

/** How long a client waits for a word about bytes that promise nothing, before it leaves. */
const BROKEN_WAIT_MS = 20;

/** The one POST whose stream is there to listen on. */
const LISTEN = 'subscriptions/listen';

interface Line {
  readonly socket: Socket;
  readonly next: (expected: ExpectedAnswer) => WireAnswer | undefined;
  /** Resolves when bytes came or the connection ended, or after a time. */
  readonly activity: (ms: number) => Promise<void>;
  readonly state: { ended: boolean };
}

export function createWireClient({ port, patienceMs }: WireClientOptions): WireClient {
  let kept: Line | undefined;

  async function shoot(mutant: Mutant): Promise<Shot> {
    const start = performance.now();
    const reused = kept !== undefined && !kept.state.ended && mutant.isPromised ? kept : undefined;
    let line = reused;
    try {
      line ??= await open(port);
    } catch {
      return { answers: [], kind: 'refused', ms: performance.now() - start };
    }
    const shot = await exchange(line, mutant, start);
    // The server may have ended an idle connection just before we used it again.
    if (reused !== undefined && shot.kind === 'no answer' && shot.answers.length === 0) {
      kept = undefined;
      return shoot(mutant);
    }
    return shot;
  }

  async function exchange(line: Line, mutant: Mutant, start: number): Promise<Shot> {
    const answers: WireAnswer[] = [];
    const done = (kind: Shot['kind']): Shot => ({ answers, kind, ms: performance.now() - start });
    const { isPromised } = mutant;
    const listens = mutant.segments.some((segment) => segment.includes(LISTEN));
    try {
      await write(line.socket, mutant.segments);
      const until = performance.now() + (isPromised ? patienceMs : BROKEN_WAIT_MS);
      for (;;) {
        const verb = mutant.verbs[answers.length];
        const answer = line.next({ bodiless: verb === 'HEAD', endless: verb !== 'POST' || listens });
        if (answer !== undefined) answers.push(answer);
        const isLast = answer?.isStream === true || answer?.isReusable === false;
        if (isPromised && (isLast || answers.length === mutant.verbs.length)) {
          keepOrLeave(line, !isLast);
          return done('answered');
        }
        // What follows on a stream are events, not answers.
        if (answer?.isStream === true) break;
        if (answer !== undefined) continue;
        if (line.state.ended) {
          line.socket.destroy();
          return done(isPromised ? 'no answer' : 'left');
        }
        const waitMs = until - performance.now();
        if (waitMs <= 0) break;
        await line.activity(waitMs);
      }
    } catch (thrown) {
      line.socket.destroy();
      return { ...done('nonsense'), reason: String(thrown) };
    }
    if (isPromised) {
      line.socket.destroy();
      return done('hang');
    }
    return done(await leave(line, mutant.leaving));
  }

  function keepOrLeave(line: Line, isReusable: boolean): void {
    if (isReusable && !line.state.ended) kept = line;
    else {
      if (kept === line) kept = undefined;
      line.socket.destroy();
    }
  }

  async function leave(line: Line, how: Mutant['leaving']): Promise<'left' | 'hang'> {
    if (how === 'half-close') {
      line.socket.end();
      const until = performance.now() + patienceMs;
      while (!line.state.ended && performance.now() < until) await line.activity(until - performance.now());
    }
    const hasLeft = how === 'abort' || line.state.ended;
    line.socket.destroy();
    return hasLeft ? 'left' : 'hang';
  }

  return { shoot, close: () => void kept?.socket.destroy() };
}

async function write(socket: Socket, segments: readonly Buffer[]): Promise<void> {
  for (const [at, segment] of segments.entries()) {
    if (at > 0) await new Promise((resolve) => setImmediate(resolve));
    if (!socket.destroyed) socket.write(segment);
  }
}

function open(port: number): Promise<Line> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const reader = createAnswerReader();
    const state = { ended: false };
    let wake = (): void => {};
    socket.once('connect', () => {
      resolve({
        socket,
        state,
        next: (expected) => reader.next(expected, state.ended),
        activity: (ms) =>
          new Promise((awake) => {
            const timer = setTimeout(awake, ms);
            wake = () => {
              clearTimeout(timer);
              awake();
            };
          }),
      });
    });
    const over = (): void => {
      state.ended = true;
      wake();
    };
    socket.on('data', (bytes: Buffer) => {
      reader.push(bytes);
      wake();
    });
    socket.on('end', over).on('close', over);
    socket.on('error', (error) => {
      reject(error);
      over();
    });
  });
}
