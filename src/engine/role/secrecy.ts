import { isJsonArray, isJsonObject, type JsonPath, type JsonValue } from '../../core/base/json.ts'
import { walkDown } from '../../core/base/nested-too-deeply.ts'
import { REDACTED, Redactor } from '../../core/base/redactor.ts'
import { gvkOf, isSecret } from '../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import { secretValues } from '../../core/kube/secret-values.ts'
import { type Flow, fieldOf } from '../expression/flow/flow.ts'
import type { ValueFlow } from './value-flow.ts'

/**
 * What one run has seen of Secrets, and so must not tell: the values that it read, generated, or made of those.
 *
 * The static check finds values on their way to people; this is for what it cannot follow, such as a server's refusal that
 * quotes what was sent.
 */
export class Secrecy {
  readonly #redactor: Redactor
  /** What was rendered without any Secret, until it matters. */
  readonly #clean: { readonly value: JsonValue | undefined; readonly reading: ValueFlow }[] = []

  /** @param former what the run before this one has left to be kept */
  constructor(former?: Iterable<string>) {
    this.#redactor = new Redactor(former)
  }

  /**
   * What the next run must not tell either, even if it ends before it has read it. A complete run has read all there is.
   */
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

  /** Texts that stay, whatever a Secret happens to hold. */
  show(value: JsonValue | undefined): void {
    for (const text of walkDown(() => textsOf(value))) this.#redactor.show(text)
  }

  /** A value with every text and number in it redacted, names of fields included. */
  redactValue(value: JsonValue): JsonValue {
    // One search for all of them: most values tell nothing.
    const whole = walkDown(() => wordsOf(value)).join('\n')
    return this.redact(whole) === whole ? value : walkDown(() => this.#redactWithin(value))
  }

  #redactWithin(value: JsonValue): JsonValue {
    if (typeof value === 'string') return this.redact(value)
    if (typeof value === 'number') return this.redact(String(value)) === String(value) ? value : REDACTED
    if (isJsonArray(value)) return value.map((item) => this.#redactWithin(item))
    if (!isJsonObject(value)) return value
    const entries = Object.entries(value)
    return Object.fromEntries(entries.map(([name, inner]) => [this.redact(name), inner && this.#redactWithin(inner)]))
  }

  /** What an object holds besides its name, labels and annotations. Of a Secret: its data, not its type. */
  hideContent(object: KubeObject): void {
    const { apiVersion: _version, kind: _kind, metadata: _metadata, ...content } = object
    const { type: _type, ...data } = content
    this.hide(isSecret(gvkOf(object)) ? data : content)
  }

  /**
   * Tracks a value that was rendered. Parts that are made of Secrets are hidden. Text that follows from the role alone stays visible,
   * even if a Secret contains the same text.
   */
  track(value: JsonValue | undefined, reading: ValueFlow): void {
    if (reading.leaks.length > 0) this.#follow(value, reading.flow)
    else this.#clean.push({ value, reading })
    if (reading.leaks.length > 0) for (const text of reading.literals) this.#redactor.show(text)
  }

  redact(text: string): string {
    this.#settle()
    return this.#redactor.redact(text)
  }

  /** Where a value holds a text of a Secret, as a key or within a text. */
  find(value: JsonValue | undefined, path: JsonPath = []): JsonPath | undefined {
    this.#settle()
    if (typeof value === 'string' || typeof value === 'number')
      return this.#redactor.holds(String(value)) ? path : undefined
    if (!isJsonObject(value) && !isJsonArray(value)) return undefined
    for (const [key, inner] of Object.entries(value)) {
      if (isJsonObject(value) && this.#redactor.holds(key)) return path
      const found = this.find(inner, [...path, isJsonArray(value) ? Number(key) : key])
      if (found) return found
    }
    return undefined
  }

  /** Most runs have nothing to hide, and never come here with anything to do. */
  #settle(): void {
    if (this.#redactor.isIdle) return
    for (const { value, reading } of this.#clean.splice(0)) {
      this.#follow(value, reading.flow)
      for (const text of reading.literals) this.#redactor.show(text)
    }
  }

  #follow(value: JsonValue | undefined, flow: Flow): void {
    if (typeof value === 'string' || typeof value === 'number') {
      if (flow.rest.origin === 'secret') this.#redactor.hide(String(value))
      else if (flow.rest.origin === 'role') this.#redactor.show(String(value))
    } else if (isJsonArray(value)) for (const item of value) this.#follow(item, flow)
    else if (isJsonObject(value))
      for (const [key, inner] of Object.entries(value)) {
        if (flow.names?.origin === 'secret') this.#redactor.hide(key)
        this.#follow(inner, fieldOf(flow, key))
      }
  }
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)]
  if (isJsonArray(value)) return value.flatMap(textsOf)
  return isJsonObject(value) ? Object.values(value).flatMap(textsOf) : []
}

/** The texts and numbers in a value, and the names of fields. */
function wordsOf(value: JsonValue | undefined): readonly string[] {
  if (isJsonArray(value)) return value.flatMap(wordsOf)
  if (isJsonObject(value)) return [...Object.keys(value), ...Object.values(value).flatMap(wordsOf)]
  return textsOf(value)
}
