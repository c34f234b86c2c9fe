import { isJsonArray, isJsonObject, type JsonPath, type JsonValue } from '../../../core/base/json.ts'
import { walkDown } from '../../../core/base/nested-too-deeply.ts'
import { Redactor } from '../../../core/base/redactor.ts'
import { gvkOf, isSecret } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { secretValues } from '../../../core/kube/secret-values.ts'
import { type Flow, fieldOf } from '../../expression/flow/flow.ts'
import type { ValueFlow } from './value-flow.ts'

/**
 * What one run has seen of Secrets and therefore redacts: the values that it read, generated, or made of those. `check` finds values
 * on their way to people; this is for what it cannot follow, such as a server's refusal that quotes what was sent.
 */
export class Secrecy {
  readonly #redactor: Redactor
  /** What was rendered without any Secret, until it matters. */
  readonly #clean: { readonly value: JsonValue | undefined; readonly reading: ValueFlow }[] = []

  /** @param former what the run before this one has left to be kept */
  constructor(former?: Iterable<string>) {
    this.#redactor = new Redactor(former)
  }

  /** What the next run redacts as well, even if it ends before it has read it. A complete run has read all there is. */
  toKeep(isComplete: boolean): ReadonlySet<string> {
    return this.#redactor.texts(isComplete ? 'own' : 'all')
  }

  /** Every text and number in a value. */
  hide(value: JsonValue | undefined): void {
    for (const text of walkDown(() => textsOf(value))) this.#redactor.hide(text)
  }

  /** The data of a Secret, but for keys that a manifest gives. Of any other object: nothing. */
  hideSecret(secret: KubeObject, manifest?: KubeObject): void {
    const given = isJsonObject(manifest?.data) ? manifest.data : {}
    for (const [key, value] of secretValues(secret)) if (given[key] === undefined) this.#redactor.hide(value)
  }

  /** What an object holds besides its name, labels and annotations. Of a Secret: its data, not its type. */
  hideContent(object: KubeObject): void {
    const { apiVersion: _version, kind: _kind, metadata: _metadata, ...content } = object
    const { type: _type, ...data } = content
    this.hide(isSecret(gvkOf(object)) ? data : content)
  }

  /** A text that stays, even if a Secret contains it. */
  show(text: string): void {
    this.#redactor.show(text)
  }

  /**
   * Tracks a value that was rendered. What is made of Secrets is hidden. Text that follows from the role alone is shown, even if a
   * Secret contains it.
   */
  track(value: JsonValue | undefined, reading: ValueFlow): void {
    if (reading.leaks.length > 0) this.#follow(value, reading)
    else this.#clean.push({ value, reading })
  }

  redact(text: string): string {
    if (this.#redactor.texts('all').size === 0) return text
    // Most runs have nothing to hide, and never follow what they rendered without any Secret.
    for (const { value, reading } of this.#clean.splice(0)) this.#follow(value, reading)
    return this.#redactor.redact(text)
  }

  /** A value with every text and number in it redacted, names of fields included. */
  redactValue(value: JsonValue): JsonValue {
    return this.#redactor.texts('all').size === 0 ? value : walkDown(() => this.#redactWithin(value))
  }

  #redactWithin(value: JsonValue): JsonValue {
    if (isJsonArray(value)) return value.map((item) => this.#redactWithin(item))
    if (!isJsonObject(value)) return this.#isHidden(value) ? this.redact(String(value)) : value
    const entries = Object.entries(value)
    return Object.fromEntries(entries.map(([name, inner]) => [this.redact(name), inner && this.#redactWithin(inner)]))
  }

  /** Where a value holds a text of a Secret, as a key or within a text. */
  find(value: JsonValue | undefined, path: JsonPath = []): JsonPath | undefined {
    if (!isJsonObject(value) && !isJsonArray(value)) return this.#isHidden(value) ? path : undefined
    for (const [key, inner] of Object.entries(value)) {
      const step = isJsonArray(value) ? Number(key) : key
      const found = this.#isHidden(step) ? path : this.find(inner, [...path, step])
      if (found) return found
    }
    return undefined
  }

  /** Whether a text or number holds what is hidden. */
  #isHidden(value: JsonValue | undefined): boolean {
    const text = String(value)
    return (typeof value === 'string' || typeof value === 'number') && this.redact(text) !== text
  }

  #follow(value: JsonValue | undefined, { flow, literals }: ValueFlow): void {
    this.#hideOrShow(value, flow)
    for (const text of literals) this.#redactor.show(text)
  }

  /** Decides for each text and number of a value by what flows into it. */
  #hideOrShow(value: JsonValue | undefined, flow: Flow): void {
    if (typeof value === 'string' || typeof value === 'number') {
      if (flow.rest.origin === 'secret') this.#redactor.hide(String(value))
      else if (flow.rest.origin === 'role') this.#redactor.show(String(value))
    } else if (isJsonArray(value)) for (const item of value) this.#hideOrShow(item, flow)
    else if (isJsonObject(value))
      for (const [key, inner] of Object.entries(value)) {
        if (flow.names?.origin === 'secret') this.#redactor.hide(key)
        this.#hideOrShow(inner, fieldOf(flow, key))
      }
  }
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)]
  if (isJsonArray(value)) return value.flatMap(textsOf)
  return isJsonObject(value) ? Object.values(value).flatMap(textsOf) : []
}
