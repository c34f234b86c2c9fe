import { type CelType, DYN, INT } from './cel-type.ts'

/** The types of index or key, and of value, when a macro goes over a range; undefined for what is none. */
export function loopTypes({ kind, params }: CelType): readonly [CelType, CelType] | undefined {
  if (kind === 'list') return [INT, params[0] as CelType]
  if (kind === 'map') return [params[0] as CelType, params[1] as CelType]
  return kind === 'param' || kind === 'dyn' || kind === 'error' ? [DYN, DYN] : undefined
}
