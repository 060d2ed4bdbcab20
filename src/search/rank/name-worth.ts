/** What it says that a file defines a name, from the weight of the definition in tenths; 0 to 1. */
export function nameWorth(weight: number): number {
  return Math.min(1, 0.4 + 0.03 * weight);
}
