import type { VersionConversion } from '../served-resource.ts'
import { autoscalerConversion } from './autoscaler-conversion.ts'
import { eventConversion } from './event-conversion.ts'

/** A built-in resource that is a view of another one's objects. */
export interface BuiltinView {
  /** The table of the other. */
  readonly table: string
  readonly conversion: VersionConversion
}

/** By group, version and plural. */
export const BUILTIN_VIEWS: Readonly<Record<string, BuiltinView>> = {
  'events.k8s.io/v1/events': { table: '/events', conversion: eventConversion },
  'autoscaling/v1/horizontalpodautoscalers': {
    table: 'autoscaling/horizontalpodautoscalers',
    conversion: autoscalerConversion,
  },
}
