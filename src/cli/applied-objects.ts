import type { JsonObject, JsonValue } from '../base/json.ts'
import type { KubeClient } from '../kube/client.ts'
import type { KubeObject } from '../kube/object.ts'

const OUR_PREFIX = 'rolebook.dev/'
/** Objects of the engine's own book-keeping. */
const LEDGER_NAME = 'rolebook-ledger'

/** Remembers what a client applies, in the order of the first apply of each object. */
export class AppliedObjects {
  readonly client: KubeClient
  readonly #applied = new Map<string, KubeObject>()

  constructor(client: KubeClient) {
    this.client = {
      get: (gvk, key, options) => client.get(gvk, key, options),
      list: (gvk, options) => client.list(gvk, options),
      watch: (gvk, options) => client.watch(gvk, options),
      create: (object, options) => client.create(object, options),
      patch: (gvk, key, patch, options) => client.patch(gvk, key, patch, options),
      delete: (gvk, key, options) => client.delete(gvk, key, options),
      apply: (object, options) => {
        if (options.subresource === undefined) this.#remember(object)
        return client.apply(object, options)
      },
    }
  }

  /** @param marks whether the engine's labels, annotations and owner references are shown */
  print(marks: boolean): readonly JsonValue[] {
    return [...this.#applied.values()].map((object) => (marks ? object : withoutMarks(object)) as JsonValue)
  }

  #remember(object: KubeObject): void {
    const { name, namespace } = object.metadata
    if (name !== LEDGER_NAME) this.#applied.set(`${object.kind} ${object.apiVersion} ${namespace}/${name}`, object)
  }
}

function withoutMarks({ apiVersion, kind, metadata, ...object }: KubeObject): JsonObject {
  const { labels, annotations, ownerReferences: _owners, uid: _uid, ...rest } = metadata
  const shown = { ...rest, ...othersIn('labels', labels), ...othersIn('annotations', annotations) }
  return { apiVersion, kind, metadata: shown, ...object }
}

function othersIn(field: string, map: Readonly<Record<string, string>> = {}): JsonObject {
  const others = Object.entries(map).filter(([key]) => !key.startsWith(OUR_PREFIX))
  return others.length === 0 ? {} : { [field]: Object.fromEntries(others) }
}
