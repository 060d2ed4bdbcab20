/**
 * Types of libraries whose values hold others, by name. A declared `List<Order>` is kept as an `Order` in a `List`: what its
 * methods give is as near as syntax comes to type arguments.
 */

const NAMES: ReadonlySet<string> = new Set(
  (
    'Iterable Iterator ListIterator Collection List ArrayList LinkedList Set HashSet LinkedHashSet TreeSet SortedSet EnumSet Queue Deque ' +
    'ArrayDeque PriorityQueue Stack Vector Map HashMap LinkedHashMap TreeMap SortedMap ConcurrentMap ConcurrentHashMap EnumMap Optional ' +
    'Stream Supplier Callable Provider Future CompletableFuture AtomicReference ThreadLocal WeakReference SoftReference Reference Lazy ' +
    'ImmutableList ImmutableSet ImmutableMap CopyOnWriteArrayList ' +
    'IEnumerable IEnumerator ICollection IList IReadOnlyList IReadOnlyCollection IDictionary Dictionary ConcurrentDictionary HashSet ' +
    'ImmutableArray Task ValueTask Nullable Span ReadOnlySpan Memory ReadOnlyMemory ' +
    'MutableList MutableSet MutableMap MutableCollection Sequence Array Flow StateFlow Deferred ' +
    'Seq IndexedSeq Option Some Either Try'
  ).split(' '),
);

export function isContainer(name: string): boolean {
  return NAMES.has(name);
}
