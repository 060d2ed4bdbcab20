/** Items that are made before anybody asks for them, so that whoever makes them need not rest while others start or work. */

export interface AheadOptions<T> {
  readonly weigh: (item: T) => number;
  /** No further item is begun while those that wait weigh as much. */
  readonly most: number;
}

/** In the order of the source, which is ended when nobody wants more of it. It has to give way to others by itself. */
export async function* readAhead<T>(
  source: AsyncIterable<T>,
  { weigh, most }: AheadOptions<T>,
): AsyncGenerator<T> {
  const made: T[] = [];
  const state: { weight: number; end?: { readonly failure?: unknown }; isLeft: boolean } = {
    weight: 0,
    isLeft: false,
  };
  let wakeMaker = (): void => {};
  let wakeReader = (): void => {};
  const make = async (): Promise<void> => {
    for await (const item of source) {
      made.push(item);
      state.weight += weigh(item);
      wakeReader();
      while (state.weight >= most && !state.isLeft) await new Promise<void>((wake) => (wakeMaker = wake));
      if (state.isLeft) return;
    }
  };
  const making = make()
    .then(
      () => (state.end = {}),
      (failure: unknown) => (state.end = { failure }),
    )
    .then(() => wakeReader());
  try {
    for (;;) {
      const item = made.shift();
      if (item !== undefined) {
        state.weight -= weigh(item);
        wakeMaker();
        yield item;
      } else if (state.end === undefined) await new Promise<void>((wake) => (wakeReader = wake));
      else if ('failure' in state.end) throw state.end.failure;
      else return;
    }
  } finally {
    state.isLeft = true;
    wakeMaker();
    await making;
  }
}
