/** Memory that is only ever taken, never given back: what outgrows its place gets one twice as large. */

let top: usize = (__heap_base + 15) & ~15;

/** All zeros: nothing here is used twice. */
export function take(bytes: usize): usize {
  const at = top;
  const end = at + ((bytes + 15) & ~15);
  // Beyond what addresses there are.
  if (end < at) unreachable();
  const pages = <i32>((end + 0xffff) >>> 16) - memory.size();
  if (pages > 0 && memory.grow(pages) < 0) unreachable();
  top = end;
  return at;
}

/** The same with more room behind it. */
export function moveTo(bytes: usize, from: usize, used: usize): usize {
  const at = take(bytes);
  memory.copy(at, from, used);
  return at;
}
