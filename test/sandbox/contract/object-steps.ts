import type { JsonObject, JsonValue } from '../../../src/core/base/json.ts'
import type { Step } from './exchange.ts'

const TYPES = {
  apply: 'application/apply-patch+yaml',
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const

type PatchType = Exclude<keyof typeof TYPES, 'apply'>

interface More extends Partial<Step> {
  /** Without `?`. */
  readonly query?: string
  readonly subresource?: string
}

/** Steps about one object: what they have in common, said once. */
export class ObjectSteps {
  readonly #label: string
  readonly #collection: string
  readonly #head: JsonObject
  readonly #name: string

  /**
   * `label` stands before the names of all steps, and with `suffix` is the name; `collection` is the path above it.
   *
   * @param kind - with its version: `apps/v1 Deployment`
   */
  constructor(label: string, collection: string, kind: string, suffix = '') {
    const [apiVersion = '', name = ''] = kind.split(' ')
    this.#label = label
    this.#collection = collection
    this.#name = label.toLowerCase().replace(/[^a-z0-9]+/g, '-') + suffix
    this.#head = { apiVersion, kind: name, metadata: { name: this.#name } }
  }

  /** The object with some fields, named. Given metadata is added to the name. */
  body(fields: JsonObject): JsonObject {
    const { metadata, ...rest } = fields
    return { ...this.#head, ...rest, metadata: { name: this.#name, ...(metadata as JsonObject | undefined) } }
  }

  create(fields: JsonObject, more: More = {}): Step {
    const query = more.query === undefined ? '' : `?${more.query}`
    return this.#step(
      more.name ?? 'create',
      { method: 'POST', path: `${this.#collection}${query}`, body: this.body(fields) },
      more,
    )
  }

  put(what: string, fields: JsonObject, more: More = {}): Step {
    return this.#step(what, { method: 'PUT', path: this.#path(more), body: this.body(fields) }, more)
  }

  get(what = 'get', more: More = {}): Step {
    return this.#step(what, { method: 'GET', path: this.#path(more) }, more)
  }

  delete(what = 'delete', more: More = {}): Step {
    return this.#step(what, { method: 'DELETE', path: this.#path(more) }, more)
  }

  /** Server-side apply by a manager; a `!` after its name forces it. */
  apply(what: string, manager: string, fields: JsonObject, more: More = {}): Step {
    const force = manager.endsWith('!') ? '&force=true' : ''
    const query = [`fieldManager=${manager.replace('!', '')}${force}`, more.query].filter(Boolean).join('&')
    const headers = { 'content-type': TYPES.apply }
    const path = this.#path({ ...more, query })
    return this.#step(what, { method: 'PATCH', path, headers, body: this.body(fields) }, more)
  }

  patch(what: string, type: PatchType, body: JsonValue, more: More = {}): Step {
    const headers = { 'content-type': TYPES[type] }
    return this.#step(what, { method: 'PATCH', path: this.#path(more), headers, body }, more)
  }

  /** Whether the object still has the version that an earlier step (by its `as`) answered with. */
  unchangedSince(as: string, what = `is unchanged since ${as}`): Step {
    return this.patch(what, 'merge', { metadata: { resourceVersion: `{${as}.rv}` } }, { query: 'dryRun=All' })
  }

  #path({ subresource, query }: More): string {
    return `${this.#collection}/${this.#name}${subresource ? `/${subresource}` : ''}${query ? `?${query}` : ''}`
  }

  #step(what: string, request: Omit<Step, 'name'>, { query, subresource, ...more }: More): Step {
    return { ...request, ...more, name: `${this.#label}: ${what}` }
  }
}

/** A CRD of one group of the run, `{ns}.example.com`, and the steps until it is served. */
export function crdSteps(kind: string, versions: readonly JsonObject[], more: JsonObject = {}): readonly Step[] {
  const plural = `${kind.toLowerCase()}s`
  const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const body = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.{ns}.example.com` },
    spec: { group: '{ns}.example.com', scope: 'Namespaced', names: { plural, kind }, versions, ...more },
  }
  const served = versions.filter((version) => version.served !== false)
  return [
    { name: `create the CRD of ${kind}`, method: 'POST', path: crds, body },
    ...served.map(
      ({ name }): Step => ({
        name: `${kind} is served in ${name}`,
        method: 'GET',
        path: customPath(plural, String(name)),
        until: 200,
      }),
    ),
  ]
}

export const customPath = (plural: string, version = 'v1'): string =>
  `/apis/{ns}.example.com/${version}/namespaces/{ns}/${plural}`

/** A version of a CRD: served, stored when it is `v1`, with its `spec` and a status. */
export function crdVersion(spec: JsonObject, more: JsonObject = {}): JsonObject {
  const name = String(more.name ?? 'v1')
  const status = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  const openAPIV3Schema = { type: 'object', properties: { spec, status } }
  return { name, served: true, storage: name === 'v1', schema: { openAPIV3Schema }, ...more }
}
