import type { Budget } from '../compile/budget.ts'

/** Pays for making, or looking through, a text of `length` UTF-16 units. Call it before. */
export function payText(budget: Budget, length: number): void {
  payLook(budget, length)
  budget.allocate(2 * length)
}

/** Pays for looking through a text without making one. */
export function payLook(budget: Budget, length: number): void {
  budget.step(1 + Math.floor(length / 64))
}

/** Pays for making a list or an object of `count` entries. Call it before. */
export function payItems(budget: Budget, count: number): void {
  budget.step(1 + count)
  budget.allocate(16 * count)
}
