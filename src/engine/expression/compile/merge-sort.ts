import type { Budget } from './budget.ts'

/**
 * The items in order, as a new list; equal ones stay as they are.
 *
 * `isAfter` says whether the first of two belongs behind the second. It is asked in the library's order, so that the same
 * pair of unfit items is found first.
 */
export function mergeSort<Item>(
  items: readonly Item[],
  isAfter: (left: Item, right: Item) => boolean,
  budget: Budget,
): Item[] {
  if (items.length <= 1) return [...items]
  const middle = Math.floor(items.length / 2)
  budget.allocate(8 * items.length)
  const left = mergeSort(items.slice(0, middle), isAfter, budget)
  const right = mergeSort(items.slice(middle), isAfter, budget)
  const merged: Item[] = []
  let leftAt = 0
  let rightAt = 0
  while (leftAt < left.length && rightAt < right.length) {
    budget.step()
    const takesRight = isAfter(left[leftAt] as Item, right[rightAt] as Item)
    merged.push((takesRight ? right[rightAt++] : left[leftAt++]) as Item)
  }
  while (leftAt < left.length) merged.push(left[leftAt++] as Item)
  while (rightAt < right.length) merged.push(right[rightAt++] as Item)
  return merged
}
