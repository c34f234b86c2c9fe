import { getPath, type JsonPath, type JsonValue } from '../../core/base/json.ts'
import { nearestName } from '../../core/base/nearest-name.ts'
import { listAt, objectAt } from './references/own-objects.ts'

/** How much of a name has to be there for the rest to be meant. */
const SHORTEST_PART = 3

/** The volumes that the name of a mount may mean. `undefined`: the path is none of such a name, or there is no volume. */
export function mountHint(object: JsonValue, path: JsonPath): string | undefined {
  const at = path.findLastIndex((step) => step === 'volumeMounts' || step === 'volumeDevices')
  const spec = path.findLastIndex((step, index) => step === 'spec' && index < at)
  if (at < 0 || path.at(-1) !== 'name') return undefined
  const claims = listAt(object, ['spec', 'volumeClaimTemplates']).map((claim) => objectAt(claim, ['metadata']).name)
  const volumes = listAt(object, [...path.slice(0, spec + 1), 'volumes']).map(({ name }) => name)
  const names = [...volumes, ...claims].filter((name) => typeof name === 'string')
  if (names.length === 0) return undefined
  const written = String(getPath(object, path))
  const meant = nearestName(written, names) ?? onlyPart(written, names)
  const there = names.length === 1 ? `the only volume is ${names[0]}` : `the volumes are ${names.join(', ')}`
  return meant === undefined ? there : `did you mean \`${meant}\`?`
}

/** `conf` means `config` where no other name begins so. */
function onlyPart(written: string, names: readonly string[]): string | undefined {
  const longer = names.filter((name) => name.startsWith(written) || written.startsWith(name))
  const [only] = longer
  const isLong = only !== undefined && Math.min(only.length, written.length) >= SHORTEST_PART
  return longer.length === 1 && isLong ? only : undefined
}
