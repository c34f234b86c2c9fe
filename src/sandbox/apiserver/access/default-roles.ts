import { gvkOf } from '../../../core/kube/group-version-kind.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import type { ObjectApi } from '../object-api.ts'
import recorded from './default-roles.generated.json' with { type: 'json' }

/** The roles and bindings that every server with RBAC has from its start, as the real one makes them. */
export function createDefaultRoles(objects: ObjectApi): void {
  for (const object of recorded as readonly unknown[] as readonly KubeObject[]) {
    if (!objects.get(gvkOf(object), keyOf(object))) objects.create(object, 'kube-apiserver')
  }
}
