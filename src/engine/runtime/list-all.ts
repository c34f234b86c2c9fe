import { CodedError } from '../../core/base/coded-error.ts'
import type { Reader } from '../../core/kube/client.ts'
import { formatKey, type KubeObject, keyOf } from '../../core/kube/object.ts'
import type { InformerSpec } from './informer-spec.ts'

export interface ListAllOptions {
  /** Objects a page; absent: all at once. */
  readonly limit: number | undefined
  readonly signal: AbortSignal
  readonly strip: (object: KubeObject) => KubeObject
}

/** Objects as they all were at one version. */
export interface CompleteList {
  readonly objects: ReadonlyMap<string, KubeObject>
  readonly resourceVersion: string
}

/** All pages of a consistent list. The server keeps the version of the first page for all of them, or says 410. */
export async function listAll(client: Reader, spec: InformerSpec, options: ListAllOptions): Promise<CompleteList> {
  const { gvk, namespace, labelSelector, metadataOnly } = spec
  const { limit, signal, strip } = options
  const objects = new Map<string, KubeObject>()
  let token: string | undefined
  for (;;) {
    const page = await client.list(gvk, { namespace, labelSelector, metadataOnly, limit, signal, continue: token })
    for (const object of page.items) objects.set(formatKey(keyOf(object)), strip(object))
    if (!page.continue) return { objects, resourceVersion: page.resourceVersion }
    if (page.continue === token) throw new CodedError('EndlessList', 'cannot list: the server repeats a page')
    token = page.continue
  }
}
