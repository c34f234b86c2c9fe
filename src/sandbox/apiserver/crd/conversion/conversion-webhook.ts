import type { JsonObject } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { statusError } from '../../api-status.ts'
import { PendingAnswer } from '../../write/outside-answers.ts'
import { checkConverted, printGvk } from './check-converted.ts'
import { type ConversionClient, convertByWebhook } from './conversion-review.ts'

/** Conversions of objects that are not stored, or were a moment ago. */
const REMEMBERED = 1000
/** Asked at once; a list is as many conversions as it has objects. */
const AT_ONCE = 16

type Outcome = { readonly object: KubeObject } | { readonly failure: string }

/**
 * The conversion webhook of a CRD. It remembers each answer by all parts of the object that a webhook may read. So a request
 * that starts over finds the answer, and later reads need not ask again. A failure goes to the requests that wait for it,
 * and is then forgotten.
 */
export class ConversionWebhook {
  readonly #client: ConversionClient
  readonly #outcomes = new Map<string, Outcome>()
  readonly #pending = new Map<string, Promise<void>>()
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(client: ConversionClient) {
    this.#client = client
  }

  /**
   * The object in another version, with the metadata that it has.
   *
   * @throws PendingAnswer when the webhook has to be asked first
   * @throws ApiError 500 when it did not convert
   */
  convert(object: KubeObject, apiVersion: string): KubeObject {
    if (object.apiVersion === apiVersion) return object
    const question = JSON.stringify([apiVersion, asked(object)])
    const outcome = this.#outcomes.get(question)
    if (!outcome) throw new PendingAnswer(this.#pending.get(question) ?? this.#ask(question, object, apiVersion))
    if ('failure' in outcome) throw statusError(500, '', outcome.failure)
    const { labels, annotations } = outcome.object.metadata
    return { ...outcome.object, metadata: { ...object.metadata, labels, annotations } }
  }

  #ask(question: string, object: KubeObject, apiVersion: string): Promise<void> {
    const answered = this.#answer(object, apiVersion).then((outcome) => this.#remember(question, outcome))
    this.#pending.set(question, answered)
    return answered
  }

  async #answer(object: KubeObject, apiVersion: string): Promise<Outcome> {
    if (this.#running >= AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#running++
    const { resourceVersion: _, ...metadata } = object.metadata
    const converted = await convertByWebhook(this.#client, { ...object, metadata } as JsonObject, apiVersion)
    this.#running--
    this.#waiting.shift()?.()
    const checked = 'problem' in converted ? converted : checkConverted(object, converted.object, apiVersion)
    if ('object' in checked) return checked
    const isOfWebhook = /^(failed|returned)/.test(checked.problem)
    return { failure: isOfWebhook ? `conversion webhook for ${printGvk(object)} ${checked.problem}` : checked.problem }
  }

  #remember(question: string, outcome: Outcome): void {
    this.#pending.delete(question)
    this.#outcomes.set(question, outcome)
    // Those who wait for it look at once.
    if ('failure' in outcome) setImmediate(() => this.#outcomes.delete(question))
    for (const oldest of this.#outcomes.keys()) {
      if (this.#outcomes.size <= REMEMBERED) break
      this.#outcomes.delete(oldest)
    }
  }
}

/** What a conversion depends on: all but what the server alone knows of an object. */
function asked({ metadata, ...object }: KubeObject): JsonObject {
  const { name, namespace, uid, labels, annotations } = metadata
  return { ...object, metadata: { name, namespace, uid, labels, annotations } } as JsonObject
}
