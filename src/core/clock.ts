/** Time as a value that is passed in, so that tests own it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds of a clock that never jumps; only differences mean anything. */
  elapsed(): number;
}
