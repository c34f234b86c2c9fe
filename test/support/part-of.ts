/** A `T` with the members that a test needs. Use it where a real `T` costs more than the test is worth. */
export function partOf<T extends object>(members: Partial<T>): T {
  return members as T
}
