/** A program that goes on by itself. */

/** Starts a program that goes on without us, and hears no more of it. False if it could not be started. */
export async function startDetached(file: string, args: readonly string[]): Promise<boolean> {
  // Loaded when it is needed: a hook that starts nothing does not wait for it.
  const { spawn } = await import('node:child_process');
  return new Promise((resolve) => {
    const child = spawn(file, [...args], { detached: true, stdio: 'ignore', windowsHide: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
