import type { JsonObject } from '../../../../core/base/json.ts'
import { type FieldErrors, forbidden, notSupported, oneOf } from './field-errors.ts'
import { textsAt } from './fields.ts'

const MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']

/** `accessModes` of a volume or a claim; that there are some is its own affair. */
export function validateAccessModes(spec: JsonObject, field: string): FieldErrors {
  const modes = textsAt(spec, 'accessModes')
  const others = modes.some((mode) => mode !== 'ReadWriteOncePod' && MODES.includes(mode))
  return [
    ...modes.filter((mode) => !MODES.includes(mode)).map((mode) => notSupported(field, mode, MODES)),
    ...(others && modes.includes('ReadWriteOncePod')
      ? [forbidden(field, 'may not use ReadWriteOncePod with other access modes')]
      : []),
  ]
}

export function validateVolumeMode({ volumeMode }: JsonObject, field: string): FieldErrors {
  return oneOf(field, String(volumeMode), ['Block', 'Filesystem'])
}
