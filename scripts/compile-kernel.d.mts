/** What each of the compiled files in src/kernel should say. */
export function compileKernel(): Promise<Readonly<Record<string, string>>>;
