/**
 * Classes of work, the first served first: what people do, what children do, what failed, what can wait, and what computes
 * for long, whose turn comes when `LongTurns` says so.
 */
export type Priority = 'edit' | 'child' | 'retry' | 'backlog' | 'long'

/** The most urgent first. */
export const PRIORITIES: readonly Priority[] = ['edit', 'child', 'retry', 'backlog', 'long']

/** One of each. */
export function byPriority<T>(make: (priority: Priority) => T): Record<Priority, T> {
  return Object.fromEntries(PRIORITIES.map((priority) => [priority, make(priority)])) as Record<Priority, T>
}

export function moreUrgent(left: Priority | undefined, right: Priority): Priority {
  return left && PRIORITIES.indexOf(left) <= PRIORITIES.indexOf(right) ? left : right
}
