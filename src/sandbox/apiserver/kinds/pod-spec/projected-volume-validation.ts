import { isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import { type FieldErrors, forbidden, invalid, required } from '../common/field-errors.ts'
import { itemsAt, numberAt, objectAt, textAt } from '../common/fields.ts'
import { validateUnreservedPath } from './path-validation.ts'
import { validateDownwardFiles, validateKeyedFiles, validateMode } from './volume-files-validation.ts'
import { requiredTexts } from './volume-sources.ts'

/** A volume that shows files of several sources. */
export function validateProjected(source: JsonObject, field: string): FieldErrors {
  const paths = new Set<string>()
  return [
    ...validateMode(source.defaultMode, `${field}.defaultMode`),
    ...itemsAt(source, 'sources').flatMap((each, index) => {
      const place = `${field}.sources[${index}]`
      const given = Object.keys(PROJECTIONS).filter((name) => isJsonObject(each[name]))
      return [
        ...given.flatMap((name) => validateOne(each, name, { field, place: `${place}.${name}`, paths })),
        ...(given.length > 1 ? [forbidden(place, 'may not specify more than 1 volume type per source')] : []),
      ]
    }),
  ]
}

interface Place {
  /** Of the volume, which the server names where files of two sources meet. */
  readonly field: string
  readonly place: string
  /** Of the files so far. */
  readonly paths: Set<string>
}

function validateOne(projection: JsonObject, name: string, { field, place, paths }: Place): FieldErrors {
  const source = objectAt(projection, name)
  const isNamed = name === 'secret' || name === 'configMap'
  const repeated = filesOf(source, name).flatMap((path) => {
    if (path === '') return []
    if (!paths.has(path)) {
      paths.add(path)
      return []
    }
    return [invalid(field, isNamed ? textAt(source, 'name') : path, 'conflicting duplicate paths')]
  })
  return [...(PROJECTIONS[name]?.(source, place, field) ?? []), ...repeated]
}

/** Paths that must differ. That of a token is not among them. */
function filesOf(source: JsonObject, name: string): readonly string[] {
  return name === 'serviceAccountToken' ? [] : itemsAt(source, 'items').map((item) => textAt(item, 'path'))
}

type Check = (source: JsonObject, place: string, volume: string) => FieldErrors

/** Those that are served; bundles of trust and certificates of pods are not yet. */
const PROJECTIONS: Readonly<Record<string, Check>> = {
  secret: validateNamed,
  configMap: validateNamed,
  downwardAPI: (source, place) => validateDownwardFiles(source, place),
  serviceAccountToken: (source, place, volume) => {
    const path = textAt(source, 'path')
    // The server names the volume here, not the source.
    return [
      ...validateTokenTime(source, place),
      ...(path === '' ? [required(`${volume}.path`)] : validateUnreservedPath(path, `${volume}.path`)),
    ]
  },
}

function validateNamed(source: JsonObject, place: string): FieldErrors {
  return [...requiredTexts(source, place, 'name'), ...validateKeyedFiles(source, place)]
}

const SHORTEST = 10 * 60
const LONGEST = 2 ** 32

function validateTokenTime(source: JsonObject, field: string): FieldErrors {
  const seconds = numberAt(source, 'expirationSeconds')
  const place = `${field}.expirationSeconds`
  return [
    ...(seconds < SHORTEST ? [invalid(place, seconds, 'may not specify a duration less than 10 minutes')] : []),
    ...(seconds > LONGEST ? [invalid(place, seconds, 'may not specify a duration larger than 2^32 seconds')] : []),
  ]
}
