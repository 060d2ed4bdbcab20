/** A kind of file, or of line, that comes from outside: how cases of it are made and tried. */
import type { Random } from '../http/seeded-random.ts';

export interface FuzzCase {
  /** What was done to what, in a few words. */
  readonly name: string;
  /** What the product is given; kept when something is wrong with the case. */
  readonly bytes: Uint8Array;
  /** Gives it to the product; says in plain words what is wrong with what came of it. An `AppError` is foreseen, all else is not. */
  run(): Promise<string | undefined>;
}

export interface FuzzGround {
  /** The same seed and index make the same case. */
  make(random: Random, index: number): FuzzCase;
  /** Makes good for the next case what this one did, whether it went well or not. */
  restore?(): Promise<void>;
  close(): Promise<void>;
}

export interface FuzzKind {
  readonly name: string;
  /** Folders of `src/` that the kind is meant to run. */
  readonly rooms: readonly string[];
  /** Its cases wait for another process: they are measured by the clock on the wall, not by what this process works. */
  readonly waits?: true;
  /** `folder` is empty and the kind's own. */
  open(folder: string): Promise<FuzzGround>;
}
