import { isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import { itemsAt, objectAt, textAt } from '../common/fields.ts'
import { claimSpecWarnings } from '../persistent-volume-claim-spec.ts'

type Warnings = readonly string[]

const DEPRECATED: Readonly<Record<string, string>> = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
}

/** About the volumes of a pod: sources that no driver serves any more, files of one volume that hide each other. */
export function volumeWarnings(spec: JsonObject, field: string): Warnings {
  const volumes = itemsAt(spec, 'volumes')
  return [
    ...volumes.flatMap((volume, index) => [
      ...deprecatedSources(volume, `${field}.volumes[${index}]`),
      ...claimSpecWarnings(
        objectAt(objectAt(objectAt(volume, 'ephemeral'), 'volumeClaimTemplate'), 'spec'),
        `${field}.volumes[${index}].ephemeral.volumeClaimTemplate.spec`,
      ),
    ]),
    ...volumes.flatMap((volume) => [...overlapsInSource(volume), ...overlapsInProjection(volume)]),
  ]
}

/** About sources of a volume; `names` are looked at in their order. */
export function deprecatedSources(volume: JsonObject, field: string, names = Object.keys(DEPRECATED)): Warnings {
  const given = names.filter((name) => volume[name] !== undefined)
  return given.map((name) => `${field}.${name === 'storageos' ? 'storageOS' : name}: ${DEPRECATED[name]}`)
}

/** A file in a volume, and where it comes from. */
interface Place {
  readonly path: string
  readonly source: string
}

/** How a source of one kind is called. */
const SOURCES: Readonly<Record<string, (source: JsonObject) => string>> = {
  configMap: (source) => `ConfigMap ${JSON.stringify(textAt(source, 'name'))}`,
  secret: (source) => `Secret ${JSON.stringify(textAt(source, 'secretName'))}`,
  downwardAPI: () => 'DownwardAPI',
}

function overlapsInSource(volume: JsonObject): Warnings {
  return Object.entries(SOURCES).flatMap(([name, print]) => {
    const source = objectAt(volume, name)
    const overlaps = findOverlaps(itemsAt(source, 'items').map((item) => ({ path: textAt(item, 'path'), source: '' })))
    return overlaps.map((overlap) => warnOf(volume, print(source), overlap))
  })
}

function overlapsInProjection(volume: JsonObject): Warnings {
  const sources = itemsAt(objectAt(volume, 'projected'), 'sources')
  const name = JSON.stringify(textAt(volume, 'name'))
  const before: Place[] = []
  return sources.flatMap((source) => {
    if (Object.keys(source).length === 0) return [`volume ${name} (Projected) has no sources provided`]
    const places = placesOf(source)
    const known = before.length
    before.push(...places)
    return findOverlaps(before, known).map((overlap) => warnOf(volume, 'Projected', overlap))
  })
}

function warnOf(volume: JsonObject, source: string, overlap: string): string {
  return `volume ${JSON.stringify(textAt(volume, 'name'))} (${source}): overlapping paths: ${overlap}`
}

/** The same within a projected volume, where a Secret is named by another field. */
const PROJECTED: typeof SOURCES = { ...SOURCES, secret: (source) => `Secret ${JSON.stringify(textAt(source, 'name'))}` }
const CERTIFICATE_FILES: readonly (readonly [field: string, what: string])[] = [
  ['certificateChainPath', 'chain'],
  ['keyPath', 'key'],
  ['credentialBundlePath', 'credential bundle'],
]

/** The files of one source of a projected volume, which is of one kind. */
function placesOf(projection: JsonObject): readonly Place[] {
  for (const [name, print] of Object.entries(PROJECTED)) {
    const source = objectAt(projection, name)
    if (source.items !== undefined)
      return itemsAt(source, 'items').map((item) => ({ path: textAt(item, 'path'), source: print(source) }))
  }
  const { serviceAccountToken: token, clusterTrustBundle: bundle } = projection
  if (isJsonObject(token)) return [{ path: textAt(token, 'path'), source: 'ServiceAccountToken' }]
  if (isJsonObject(bundle)) {
    const name = JSON.stringify(bundle.name ?? bundle.signerName ?? '')
    return [{ path: textAt(bundle, 'path'), source: `ClusterTrustBundle ${name}` }]
  }
  const certificate = objectAt(projection, 'podCertificate')
  return CERTIFICATE_FILES.flatMap(([field, what]) => {
    const path = textAt(certificate, field)
    return path === '' ? [] : [{ path, source: `PodCertificate ${what}` }]
  })
}

/** Files, of those from an index on, that are the same as one before, or where one contains the other: `"a/b" with "a"`. */
function findOverlaps(places: readonly Place[], from = 0): readonly string[] {
  const trimmed = places.map(({ path, source }) => ({ path: path.replace(/\/+$/, ''), source }))
  return trimmed.slice(from).flatMap((place, index) =>
    trimmed
      .slice(0, from + index)
      .filter((other) => overlap(other.path, place.path))
      .map((other) => `${print(place)} with ${print(other)}`),
  )
}

function overlap(left: string, right: string): boolean {
  if (left === '' || right === '') return false
  return `${left}/`.startsWith(`${right}/`) || `${right}/`.startsWith(`${left}/`)
}

function print({ path, source }: Place): string {
  return source === '' ? JSON.stringify(path) : `${JSON.stringify(path)} (${source})`
}
