/**
 * Starts the work of several items at once, at most `ahead` of them, and gives the results in the items' order.
 * The first failure ends it; what was started and not taken is left to its own signal, its outcome unheard.
 */
export async function* inOrder<Item, Result>(
  items: Iterable<Item>,
  ahead: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const started: Promise<Result>[] = [];
  for (const item of items) {
    started.push(watched(work(item)));
    if (started.length >= ahead) yield await started.shift()!;
  }
  for (const result of started) yield await result;
}

/** A rejection that nobody awaits any more must not end the process. */
function watched<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => {});
  return promise;
}
