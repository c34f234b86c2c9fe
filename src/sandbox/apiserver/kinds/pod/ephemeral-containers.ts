import { type JsonObject, jsonEquals } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { type FieldErrors, forbidden } from '../common/field-errors.ts'
import { itemsAt, objectAt, textAt } from '../common/fields.ts'
import { withMetadata } from '../common/strategies.ts'
import type { SubresourceRules } from '../kind-rules.ts'
import { validateState } from './pod-validation.ts'

/** How the server prints a path without fields. */
export const NOWHERE = '[]'

/** `pods/ephemeralcontainers`: containers are added to a pod that is there, and stay as they are. */
export const ephemeralContainers: SubresourceRules = {
  prepareForUpdate: (object, old) => {
    const { ephemeralContainers: wanted } = objectAt(object, 'spec')
    return withSpec(object, old, { ...objectAt(old, 'spec'), ephemeralContainers: wanted })
  },
  validate: (object, old, { stored }) => {
    const spec = objectAt(object, 'spec')
    if (isMirror(old)) return [forbidden(NOWHERE, 'static pods do not support ephemeral containers')]
    return [
      ...validateState(spec, objectAt(old, 'spec')),
      ...validateKept(objectAt(stored(object), 'spec'), objectAt(old, 'spec')),
    ]
  },
}

/** The pod as it was, but for its spec: what a subresource changes of it. */
export function withSpec({ metadata }: KubeObject, old: KubeObject, spec: JsonObject): KubeObject {
  const { managedFields, resourceVersion } = metadata
  return { ...withMetadata(old, { managedFields, resourceVersion } as JsonObject), spec }
}

/** Made by a kubelet from a file of its node. */
export function isMirror({ metadata }: KubeObject): boolean {
  return metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined
}

/** The server adds what differs in its own notation of structs; we do not. */
function validateKept(spec: JsonObject, old: JsonObject): FieldErrors {
  const field = 'spec.ephemeralContainers'
  const wanted = new Map(itemsAt(spec, 'ephemeralContainers').map((each) => [textAt(each, 'name'), each]))
  return itemsAt(old, 'ephemeralContainers').flatMap((container) => {
    const name = textAt(container, 'name')
    const now = wanted.get(name)
    if (now && jsonEquals(now, container)) return []
    const what = now ? 'changed' : 'removed'
    return [forbidden(field, `existing ephemeral containers ${JSON.stringify(name)} may not be ${what}\n`)]
  })
}
