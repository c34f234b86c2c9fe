import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import { ApiError } from '../../../core/kube/api-error.ts'
import type { Writer } from '../../../core/kube/client.ts'
import type { Gvk } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject, ObjectKey } from '../../../core/kube/object.ts'

/** The namespace that a test means where it names none. */
export const OWN_NAMESPACE = 'default'

/**
 * What the author of a test calls things, and what they are called on the cluster: what stands in `default` for the one
 * stands in a namespace of the test on the other.
 */
export class NamespaceAlias {
  readonly #namespace: string

  constructor(namespace: string) {
    this.#namespace = namespace
  }

  /** A name of a namespace as the cluster has it. */
  namespaceOnCluster(name: string): string {
    return name === OWN_NAMESPACE ? this.#namespace : name
  }

  keyOnCluster({ kind, group }: Gvk, { namespace, name }: ObjectKey): ObjectKey {
    if (kind === 'Namespace' && group === '') return { namespace, name: this.namespaceOnCluster(name) }
    return { namespace: this.namespaceOnCluster(namespace), name }
  }

  /** An object, or a part of one, with every field `namespace` as the cluster has it. */
  onCluster<Value extends JsonValue | KubeObject>(value: Value): Value {
    return this.#onCluster(value as JsonValue) as Value
  }

  /** A text of the cluster as the author would write it. */
  text(text: string): string {
    return text.replaceAll(this.#namespace, OWN_NAMESPACE)
  }

  /** A value of a Secret. */
  base64(encoded: string): string {
    const bytes = Buffer.from(encoded, 'base64')
    return bytes.includes(this.#namespace) ? Buffer.from(this.text(bytes.toString('utf8'))).toString('base64') : encoded
  }

  /** An object of the cluster as the author would write it. */
  object(object: KubeObject): KubeObject {
    const said = this.#said(object as unknown as JsonValue) as unknown as KubeObject
    if (object.apiVersion !== 'v1' || object.kind !== 'Secret' || !isJsonObject(said.data)) return said
    const data = mapValues(said.data, (value) => (typeof value === 'string' ? this.base64(value) : value))
    return { ...said, data }
  }

  #said(value: JsonValue): JsonValue {
    if (typeof value === 'string') return this.text(value)
    if (isJsonArray(value)) return value.map((item) => this.#said(item))
    if (!isJsonObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.text(key), this.#said(item ?? null)]))
  }

  #onCluster(value: JsonValue): JsonValue {
    if (isJsonArray(value)) return value.map((item) => this.#onCluster(item))
    if (!isJsonObject(value)) return value
    return mapValues(value, (item, key) =>
      key === 'namespace' && typeof item === 'string' ? this.namespaceOnCluster(item) : this.#onCluster(item),
    )
  }
}

function mapValues(map: JsonObject, change: (value: JsonValue, key: string) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value ?? null, key)]))
}

/** Writes for the author of a test: namespaces are named as the author names them, in what is sent and in what is answered. */
export function aliasedWriter(alias: NamespaceAlias, client: Writer): Writer {
  const answer = async <T extends KubeObject | undefined>(asked: Promise<T>): Promise<T> => {
    const object = await asked.catch((error) => Promise.reject(said(alias, error)))
    return (object && alias.object(object)) as T
  }
  return {
    create: (object, options) => answer(client.create(alias.onCluster(object), options)),
    apply: (object, options) => answer(client.apply(alias.onCluster(object), options)),
    patch(gvk, key, patch, options) {
      const sent = patch.type === 'merge' ? { ...patch, body: alias.onCluster(patch.body) } : patch
      return answer(client.patch(gvk, alias.keyOnCluster(gvk, key), sent, options))
    },
    delete: (gvk, key, options) => answer(client.delete(gvk, alias.keyOnCluster(gvk, key), options)),
  }
}

function said(alias: NamespaceAlias, error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  const { httpStatus, reason, message, status, retryAfterSeconds } = error
  return new ApiError(httpStatus, reason, alias.text(message), { status, retryAfterSeconds, cause: error.cause })
}
