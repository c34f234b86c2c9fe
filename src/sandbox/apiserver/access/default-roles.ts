import type { KubeObject } from '../../../core/kube/object.ts'
import recorded from './default-roles.generated.json' with { type: 'json' }

/** The roles and bindings that every server with RBAC has from its start, as the real one has stored them. */
export const DEFAULT_ROLES = recorded as readonly unknown[] as readonly KubeObject[]
