import fc from 'fast-check'
import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { Values, Wishes } from './values.ts'

const LABELS = ['app', 'tier', 'x.io/zone']
const VALUES = ['x', 'y', '']

/** Labels, annotations and finalizers; rarely what a server does not take. */
export function metadataValues({ nulls = false, valid = false }: Wishes): Values<JsonObject> {
  const texts = fc.constantFrom<JsonValue[]>(...VALUES, ...(nulls ? [null, null] : []), ...(valid ? [] : ['-']))
  const map = fc.dictionary(fc.constantFrom(...LABELS), texts, { maxKeys: 3 })
  const finalizers = fc.uniqueArray(fc.constantFrom('x.io/a', 'x.io/b', 'x.io/c'), { maxLength: 2 })
  const usual: Values<JsonObject> = fc.record(
    { labels: orRarely(map, nulls), annotations: orRarely(map, nulls), finalizers: orRarely(finalizers, nulls) },
    { requiredKeys: [] },
  )
  if (!nulls) return usual
  const entries = fc.constantFrom<JsonValue[]>([{}], [], null).map((managedFields): JsonObject => ({ managedFields }))
  return fc.oneof({ weight: 40, arbitrary: usual }, { weight: 1, arbitrary: entries })
}

function orRarely(values: Values, nulls: boolean): Values {
  return nulls ? fc.oneof({ weight: 9, arbitrary: values }, { weight: 1, arbitrary: fc.constant(null) }) : values
}
