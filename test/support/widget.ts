import type { KubeObject, ObjectMeta } from '../../src/core/kube/object.ts'

/** A Widget as a server has it, for what needs no server. */
export function widgetWith(metadata: ObjectMeta): KubeObject {
  return {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w', namespace: 'd', uid: 'u', ...metadata },
  }
}
