/**
 * Classes of work, the most urgent first: edits by people, changes of children, retries, what can wait, and long runs, which begin when
 * `LongTurns` allows it.
 */
export type Priority = 'edit' | 'child' | 'retry' | 'backlog' | 'long'

/** The most urgent first. */
export const PRIORITIES: readonly Priority[] = ['edit', 'child', 'retry', 'backlog', 'long']

/** One value for each class. */
export function byPriority<T>(make: (priority: Priority) => T): Record<Priority, T> {
  return Object.fromEntries(PRIORITIES.map((priority) => [priority, make(priority)])) as Record<Priority, T>
}

export function moreUrgent(left: Priority | undefined, right: Priority): Priority {
  return left && PRIORITIES.indexOf(left) <= PRIORITIES.indexOf(right) ? left : right
}
