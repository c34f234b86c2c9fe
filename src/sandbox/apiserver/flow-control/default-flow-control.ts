import type { KubeObject } from '../../../core/kube/object.ts'
import recorded from './defaults.generated.json' with { type: 'json' }

/** The priority levels, and then the flow schemas, that every server has from its start, as the real one makes them. */
export const DEFAULT_FLOW_CONTROL = recorded as readonly unknown[] as readonly KubeObject[]
