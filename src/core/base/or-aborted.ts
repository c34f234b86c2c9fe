/** What the promise comes to, or the signal's reason as soon as it aborts. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  if (signal.aborted) {
    // Its failure is of no interest any more, and must not end the process.
    promise.catch(() => undefined)
    return Promise.reject(signal.reason)
  }
  const { promise: first, resolve, reject } = Promise.withResolvers<T>()
  const stop = (): void => reject(signal.reason)
  signal.addEventListener('abort', stop)
  const settled = (): void => signal.removeEventListener('abort', stop)
  promise.then(
    (value) => {
      settled()
      resolve(value)
    },
    (error) => {
      settled()
      reject(error)
    },
  )
  return first
}
