/** What this process takes of the machine's memory. */
export function ownMemoryMb(): number {
  return process.memoryUsage.rss() / 1024 / 1024;
}
