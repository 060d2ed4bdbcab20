/** `1 file`, `2 files`; `3 entries` where the plural is given. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
