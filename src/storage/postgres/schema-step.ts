/** A step from one state of the tables to the next. */
export interface SchemaStep {
  readonly version: number;
  readonly name: string;
  /** Only adds, so that the release before this one goes on working beside it. */
  readonly up: string;
  /** Takes something away: the first schema whose releases can do without. It is done only when it is asked for. */
  readonly contracts?: number;
}
