export const BROWSER_FLAGS: readonly string[];
export function findBrowser(): Promise<string>;
