import type { JsonValue } from '../../src/core/base/json.ts'
import { ApiError } from '../../src/core/kube/api-error.ts'
import type { KubeClient } from '../../src/core/kube/client.ts'
import type { ObjectKey } from '../../src/core/kube/object.ts'
import { clientWith } from '../support/client-with.ts'
import type { Dice } from '../support/dice.ts'

/** Ways in which servers, webhooks, proxies and defects of ours quote what was sent. */
const REFUSALS: readonly ((quoted: string) => Error)[] = [
  (quoted) => new ApiError(422, 'Invalid', `ConfigMap "x" is invalid: data: Invalid value: "${quoted}"`),
  (quoted) => invalid(quoted),
  (quoted) => new ApiError(403, 'Forbidden', `admission webhook "w" denied the request: ${quoted}`),
  (quoted) => new ApiError(400, 'BadRequest', `cannot read ${quoted}`),
  (quoted) => new ApiError(500, 'InternalError', `Internal error occurred: failed calling webhook: ${quoted}`),
  (quoted) => new ApiError(409, 'Conflict', `Apply failed with 1 conflict: conflict with "${quoted}": .data.k`),
  (quoted) => new ApiError(429, 'TooManyRequests', `too much of ${quoted}`, { retryAfterSeconds: 0 }),
  (quoted) =>
    new ApiError(0, 'NoAnswer', 'no answer from the server', { cause: new Error(`parse error at ${quoted}`) }),
  (quoted) => new Error(`a defect that quotes ${quoted}`),
  (quoted) => new TypeError(`Cannot read properties of ${quoted}`, { cause: new Error(quoted) }),
]

function invalid(quoted: string): ApiError {
  const causes = [{ field: 'data.k', reason: 'FieldValueInvalid', message: `Invalid value: "${quoted}"` }]
  const status = { kind: 'Status', message: quoted, details: { causes } }
  return new ApiError(422, 'Invalid', `Secret "s" is invalid: data.k: ${causes[0]?.message}`, { status })
}

/**
 * A client whose server sometimes refuses what holds a canary, and quotes it then.
 *
 * @param holds whether something of the canaries stands in a text
 */
export function leakyClient(client: KubeClient, dice: Dice, holds: (text: string) => boolean): KubeClient {
  const maybeRefuse = (what: unknown, often: number): void => {
    const text = JSON.stringify(what) ?? ''
    if (!holds(text) || dice.below(often) > 0) return
    const value = textIn(what as JsonValue, holds)
    throw dice.pick(REFUSALS)(dice.pick([text, value, JSON.stringify(value).slice(1, -1)]))
  }
  return clientWith(client, {
    get: async (gvk, key, options) => {
      maybeRefuse(nameIn(key), 2)
      return client.get(gvk, key, options)
    },
    create: async (object, options) => {
      maybeRefuse(object, 3)
      return client.create(object, options)
    },
    apply: async (object, options) => {
      maybeRefuse(object, 3)
      return client.apply(object, options)
    },
    patch: async (gvk, key, patch, options) => {
      maybeRefuse(patch, 3)
      return client.patch(gvk, key, patch, options)
    },
    delete: async (gvk, key, options) => {
      maybeRefuse(nameIn(key), 2)
      return client.delete(gvk, key, options)
    },
  })
}

function nameIn({ namespace, name }: ObjectKey): string {
  return `${namespace}/${name}`
}

/** The text in a value that a server would quote: the one with the canary. */
function textIn(value: JsonValue | undefined, holds: (text: string) => boolean): string {
  const texts: string[] = []
  const visit = (one: unknown): void => {
    if (typeof one === 'string') texts.push(one)
    else if (typeof one === 'object' && one !== null)
      for (const [key, inner] of Object.entries(one)) {
        texts.push(key)
        visit(inner)
      }
  }
  visit(value)
  return texts.find(holds) ?? JSON.stringify(value)
}
