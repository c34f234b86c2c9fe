import type { JsonObject } from '../../../../src/core/base/json.ts'
import { installed, removed, tried } from '../crd-body.ts'
import type { Step } from '../exchange.ts'
import { readRequests } from '../requests.ts'

interface Trials {
  readonly schema: JsonObject
  readonly objects: readonly JsonObject[]
}

/** Objects that break, or keep, what a schema says of values. */
function trialsOf({ schema, objects }: Trials, index: number): readonly Step[] {
  const singular = `checked${'ab'.charAt(index)}`
  return [
    ...installed({ singular, schema }),
    ...objects.map((object, at) => ({
      ...tried(`${singular} ${at} ${JSON.stringify(object)}`, singular, object),
      unordered: true as const,
    })),
    removed(singular),
  ]
}

export const steps: readonly Step[] = readRequests<Trials>('crd-objects').flatMap(trialsOf)
