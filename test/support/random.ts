/** Chance that can be repeated: the same seed gives the same numbers. */
export interface Random {
  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number;
}

/** Marsaglia's xorshift on 32 bits: small, and good enough to find unexpected texts. */
export function createRandom(seed: number): Random {
  let state = seed | 0 || 1;
  return {
    below(limit) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return (state >>> 0) % limit;
    },
  };
}
