/** Calls `forget` with the oldest keys of a map or set until one more key fits into its capacity. */
export function evictOldest<Key>(
  { capacity, known }: { readonly capacity: number; readonly known: { readonly size: number; keys(): Iterable<Key> } },
  forget: (key: Key) => void,
): void {
  for (const oldest of known.keys()) {
    if (known.size < capacity) return
    forget(oldest)
  }
}
