/** How much garbage a process may keep. */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Of what was made just now, in each of its two halves. */
const NURSERY_BYTES = 8 * 1024 * 1024;
/** What is answered sooner need not load what it takes. */
const WATCH_AFTER_MS = 100;

/**
 * Left alone, V8 lets the old part of a busy server's heap grow to about 100 MB where 20 are alive (Node 20, 24 GB of
 * memory). For a server that runs all day beside an editor that is memory taken for nothing. With this it collects when the
 * heap has grown by half; indexing 60 MB of source then peaks at 240 MB instead of 320.
 * What that costs in processor time was not measured on its own. Node warns against flags that are
 * set after the start; this one was tried on Node 20.20.2 only, as a flag of the command line and as it is set here.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=50');
}

/**
 * Left alone, V8 lets the part for what was made just now grow to 32 MB (to 128 on Node 24), all of which is used again and
 * again: with half of it a search was as fast, and a server took 22 MB less (Node 20). Its largest size is decided before the
 * first line of ours runs, but by what factor it grows is asked each time. What has grown before stays; V8 makes it smaller
 * when little is made, and from there it may grow again. Not before the program is loaded: code that was compiled beforehand
 * is taken only with the flags it was compiled with. The factor holds for the threads of the process as well, whose nurseries
 * nobody watches: those that read files took no longer with it. Tried on Node 20.20.2, 22.23.3 and 24.21.0.
 */
export function keepNurserySmall(afterMs = WATCH_AFTER_MS): void {
  setTimeout(() => void watchNursery(), afterMs).unref();
}

async function watchNursery(): Promise<void> {
  const { PerformanceObserver } = await import('node:perf_hooks');
  let mayGrow = true;
  const look = (): void => {
    const isLarge = nurseryBytes() >= 2 * NURSERY_BYTES;
    if (isLarge !== mayGrow) return;
    mayGrow = !isLarge;
    setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
  };
  look();
  new PerformanceObserver(look).observe({ entryTypes: ['gc'] });
}

function nurseryBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
}

/** What this process takes of the machine's memory. */
export function ownMemoryMb(): number {
  return process.memoryUsage.rss() / 1024 / 1024;
}
