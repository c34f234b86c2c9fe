import { type JsonValue, jsonEquals } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'

/** Which plugins of one kind are asked a second time: those that may be, and had their turn before something changed. */
export class Reinvocation {
  readonly #asked = new Set<string>()
  readonly #again = new Set<string>()
  #isSecond = false
  #output: KubeObject | undefined

  /** Between the rounds, others may have changed the object. */
  begin(isSecond: boolean, object: KubeObject | undefined): void {
    this.#isSecond = isSecond
    if (isSecond && !isSame(object, this.#output)) this.changed()
  }

  /** In the second round, each plugin is called again, and none for the first time. */
  isDue(key: string): boolean {
    return !this.#isSecond || this.#again.has(key)
  }

  asked(key: string): void {
    this.#asked.add(key)
  }

  changed(): void {
    for (const key of this.#asked) this.#again.add(key)
    this.#asked.clear()
  }

  end(object: KubeObject | undefined): void {
    this.#output = object
  }
}

export function isSame(left: KubeObject | undefined, right: KubeObject | undefined): boolean {
  return left === right || (!!left && !!right && jsonEquals(left as JsonValue, right as JsonValue))
}
