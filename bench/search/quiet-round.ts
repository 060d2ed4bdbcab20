/**
 * Asks the same questions again and again, and keeps the quietest round: on a machine that others use as well, one round takes up
 * to twice as long as the next. The first is not counted: it warms up the compiler, and what is shown is kept as in a server that is
 * asked all day. No ranking of one round answers the next: a few are remembered, not hundreds.
 */
export interface Round {
  readonly p50: number;
  readonly p95: number;
}

const ROUNDS = 5;

export async function quietestRound(
  questions: readonly string[],
  ask: (question: string) => Promise<unknown>,
): Promise<Round> {
  const rounds: Round[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const took: number[] = [];
    for (const question of questions) {
      const started = performance.now();
      await ask(question);
      took.push(performance.now() - started);
    }
    if (round > 0) rounds.push({ p50: quantile(took, 0.5), p95: quantile(took, 0.95) });
  }
  const [quietest] = rounds.toSorted((a, b) => a.p50 - b.p50);
  if (quietest === undefined) throw new RangeError('There are no rounds.');
  return quietest;
}

function quantile(values: readonly number[], share: number): number {
  return (
    values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))] ?? 0
  );
}
