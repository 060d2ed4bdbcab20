/** Calls as figures and the log of writes see them. */
import type { CallObserver, EndedCall } from '../tools/index.ts';

/** `failed`: answered with what was wrong. `broken`: not answered, by a fault of ours or because the client was asked something first. */
export type Outcome = 'ok' | 'failed' | 'broken';

export function outcomeOf({ answer }: EndedCall): Outcome {
  if (answer === undefined) return 'broken';
  return answer.isError === true ? 'failed' : 'ok';
}

type ObserveCall = CallObserver['call'];

export function observeAll(observers: readonly ObserveCall[]): ObserveCall {
  return (call) => {
    const ended = observers.map((observe) => observe(call));
    return (end) => {
      for (const tell of ended) tell(end);
    };
  };
}
