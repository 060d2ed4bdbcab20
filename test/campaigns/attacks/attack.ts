/** One attack on Waymark: its name, the class it stands for, and how it is tried. */
export type AttackArea = 'http' | 'auth' | 'jail' | 'index' | 'memory' | 'cli' | 'supply' | 'hooks';

/** Where an attack runs: an empty folder, a home of its own, and the built program. */
export type AttackPlace = { readonly folder: string; readonly home: string; readonly program: string };

export type Attack = {
  readonly name: string;
  readonly area: AttackArea;
  /** The class of attack that this one stands for. */
  readonly stands: string;
  /** Tries it; says in plain words what got through, or nothing where it held. */
  run(place: AttackPlace): Promise<string | undefined>;
};
