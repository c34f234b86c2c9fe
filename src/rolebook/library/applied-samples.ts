import { explain } from '../../core/base/coded-error.ts'
import { canonicalJson } from '../../core/base/json.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import { idOf } from '../../core/kube/object-id.ts'
import type { SampleFile } from '../../engine/operator/project.ts'

export interface AppliedSamplesOptions {
  apply(object: KubeObject): Promise<unknown>
  remove(object: KubeObject): Promise<unknown>
  /** Receives a message about what could not be done. */
  complain(message: string): void
}

interface Applied {
  readonly object: KubeObject
  readonly text: string
}

/**
 * Keeps the sample objects of a project in a cluster. It applies an object that has changed in its file and deletes an object
 * that was removed from it. It leaves other objects alone, even if a person has changed them in the cluster.
 */
export class AppliedSamples {
  readonly #options: AppliedSamplesOptions
  #applied = new Map<string, Applied>()
  #turn: Promise<void> = Promise.resolve()

  constructor(options: AppliedSamplesOptions) {
    this.#options = options
  }

  /** One change after the other: two saves in a row end in the later one. */
  follow(samples: readonly SampleFile[]): Promise<void> {
    this.#turn = this.#turn.then(() => this.#change(samples))
    return this.#turn
  }

  async #change(samples: readonly SampleFile[]): Promise<void> {
    const wanted = new Map<string, Applied & { readonly path: string }>()
    for (const { path, objects } of samples) {
      for (const object of objects) wanted.set(idOf(object), { object, text: canonicalJson(object), path })
    }
    const kept = new Map<string, Applied>()
    for (const [id, sample] of wanted) {
      if (await this.#isApplied(id, sample)) kept.set(id, sample)
    }
    for (const [id, { object }] of this.#applied) {
      if (!wanted.has(id)) await this.#guard(`delete ${id}`, () => this.#options.remove(object))
    }
    this.#applied = kept
  }

  async #isApplied(id: string, { object, text, path }: Applied & { readonly path: string }): Promise<boolean> {
    if (this.#applied.get(id)?.text === text) return true
    return this.#guard(`apply ${path}`, () => this.#options.apply(object))
  }

  async #guard(action: string, work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      this.#options.complain(`cannot ${action}: ${explain(error)}`)
      return false
    }
  }
}
