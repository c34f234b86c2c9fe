import type { Schema } from '../../core/schema/schema.ts'

/** `The default policy of `Retain` …, the `Delete` policy …`, `Valid operators are In, NotIn and Exists`, `- uri: an URI as …`. */
const WAYS_TO_NAME_VALUES: readonly RegExp[] = [
  /[`'"“]([A-Z][A-Za-z0-9]*)[`'"”]/g,
  /(?<=\b(?:one of|are|be|is|values:) (?:[A-Z]\w*(?:, (?:and |or )?| and | or ))*)([A-Z]\w*)(?=(?:,| and | or )|[. ]|$)/g,
  /(?:^| )- ([A-Za-z]\w*): /gm,
]
/** A Go type, unlike `[]uint8`. */
const TYPE_NAME = /^\w+\.\w+$/
const FORMATS = 2

/**
 * Values that the description of a field of Kubernetes names, where its schema lists none: many types of text with few values
 * are published without them. A type of its own shows that a field takes few values.
 */
export function documentedValues({ enum: listed, type, goType = '', description = '' }: Schema): readonly string[] {
  if (listed !== undefined || type !== 'string') return []
  const ways = TYPE_NAME.test(goType) ? WAYS_TO_NAME_VALUES : WAYS_TO_NAME_VALUES.slice(FORMATS)
  const found = new Set(ways.flatMap((way) => [...description.matchAll(way)].map(([, name = '']) => name)))
  return found.size > 1 ? [...found] : []
}
