/** Waits, for as long as the network takes, until `condition` holds. For tests with real sockets only. */
export async function eventually(condition: () => boolean, what: string): Promise<void> {
  const end = performance.now() + 50_000
  while (!condition()) {
    if (performance.now() > end) throw new Error(`it never came about that ${what}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
