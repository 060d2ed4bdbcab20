/** What tools work with; the application provides it. */
import type { Engine } from '../engine/index.ts';

export interface ToolServices {
  readonly engine: Engine;
  /** A word that cannot be guessed, for the fence around stored text. */
  newWord(): string;
}
