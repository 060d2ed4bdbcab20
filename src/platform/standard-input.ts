/** What is piped into this process. By itself: hooks load little. */

/** Everything that is piped in, as text. `firstWithinMs`: nothing where nothing comes in that time: a pipe may be open and never used. */
export async function readStandardInput(firstWithinMs?: number): Promise<string> {
  const pieces: Buffer[] = [];
  const timer =
    firstWithinMs === undefined ? undefined : setTimeout(() => process.stdin.destroy(), firstWithinMs);
  try {
    for await (const piece of process.stdin) {
      clearTimeout(timer);
      pieces.push(Buffer.from(piece));
    }
  } catch (thrown) {
    if (pieces.length > 0 || timer === undefined) throw thrown;
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** What comes on standard input within this time, up to this many bytes; nothing from a terminal. */
export async function readInputUpTo(maxBytes: number, waitMs: number): Promise<string> {
  if (process.stdin.isTTY) return '';
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  const timer = setTimeout(() => process.stdin.destroy(), waitMs);
  try {
    for await (const piece of process.stdin) {
      const bytes = Buffer.from(piece);
      sizeBytes += bytes.length;
      if (sizeBytes > maxBytes) return '';
      pieces.push(bytes);
    }
  } catch {
    // It ended in the middle: what came is read.
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(pieces).toString('utf8');
}
