import type { StoredObject } from './stored-object.ts'

/** Of lists that are read in pages at the same time. */
const KEPT = 4

export interface PagedState {
  /** After so many changes of the table. */
  readonly position: number
  /** `undefined`: all namespaces. */
  readonly namespace: string | undefined
  /** In the order of their keys. */
  readonly objects: readonly StoredObject[]
}

/**
 * The states that lists in pages show, so that a page need not collect all objects again.
 *
 * They hold no object that the history does not: what was replaced after a state is in the changes after it, and a state
 * is forgotten before they are.
 */
export class PagedStates {
  #states: readonly PagedState[] = []

  find(position: number, namespace: string | undefined): readonly StoredObject[] | undefined {
    return this.#states.find((each) => each.position === position && each.namespace === namespace)?.objects
  }

  keep(state: PagedState): void {
    this.#states = [state, ...this.#states].slice(0, KEPT)
  }

  /** @param start the position of the oldest change that is remembered */
  forgetBefore(start: number): void {
    if (this.#states.length === 0) return
    this.#states = this.#states.filter(({ position }) => position >= start)
  }
}
