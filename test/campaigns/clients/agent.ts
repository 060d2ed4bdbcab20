/** What the campaign must know of a published agent to run it without a person. */

/** A home of its own, and the address of the model's stand-in. */
export interface Place {
  readonly home: string;
  readonly modelUrl: string;
}

export interface Agent {
  /** As `waymark setup` names it. */
  readonly id: string;
  readonly name: string;
  readonly package: string;
  /** What to start, below node_modules; run with `node` where it is a script. */
  readonly program: string;
  readonly runsOn: 'itself' | 'node';
  /** Files in its home before setup: which model to talk to, nothing about servers. */
  readonly files: (place: Place) => Readonly<Record<string, string>>;
  readonly env: (place: Place) => Readonly<Record<string, string>>;
  /** Commands to run once, before the first question. */
  readonly prepare?: (place: Place) => readonly (readonly string[])[];
  /** Its arguments for one question. */
  readonly ask: (question: string) => readonly string[];
}

/** Made up: nothing here leaves the machine. */
export const KEY = 'sk-local-0000';
export const MODEL = 'stand-in';
