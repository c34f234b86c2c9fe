/**
 * Stands for `node:async_hooks` in the page. The bundle has no `async` functions: esbuild has made generators of them, whose steps
 * are joined by `Promise.prototype.then`. So a context goes wherever `then`, a timer or a turn of the event loop goes, as in Node.
 */
type Context = ReadonlyMap<object, unknown>

let current: Context = new Map()

export class AsyncLocalStorage<Store> {
  /** While `work` runs, also after it has waited, `getStore` answers `store`. */
  run<Result>(store: Store, work: () => Result): Result {
    return inContext(new Map(current).set(this, store), work)
  }

  getStore(): Store | undefined {
    return current.get(this) as Store | undefined
  }
}

function inContext<Result>(context: Context, work: () => Result): Result {
  const before = current
  current = context
  try {
    return work()
  } finally {
    current = before
  }
}

type Callback = (...given: unknown[]) => unknown

/** The same function, which runs in the context of now. */
function bound<Kind>(callback: Kind): Kind {
  if (typeof callback !== 'function' || current.size === 0) return callback
  const context = current
  const run = callback as unknown as Callback
  return ((...given: unknown[]) => inContext(context, () => run(...given))) as Kind
}

function carryThroughPromises(): void {
  const { then } = Promise.prototype
  // biome-ignore lint/suspicious/noThenProperty: this is how the steps of all functions of the bundle are joined
  Promise.prototype.then = function (onFulfilled, onRejected) {
    return then.call(this, bound(onFulfilled), bound(onRejected)) as Promise<never>
  }
}

function carryThroughTimers(): void {
  const scope = globalThis as unknown as Record<string, (callback: unknown, ...rest: unknown[]) => unknown>
  for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask']) {
    const original = scope[name]
    if (original) scope[name] = (callback, ...rest) => original.call(globalThis, bound(callback), ...rest)
  }
}

carryThroughPromises()
carryThroughTimers()
