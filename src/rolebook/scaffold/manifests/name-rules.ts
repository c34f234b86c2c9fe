import type { JsonPath } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'

/** How names of objects follow from the name of the resource. */
export interface NameRules {
  /** The name of the resource with which the objects have the names that they were given. */
  readonly base: string
  /** The namespace that is the one of the resource. */
  readonly namespace: string | undefined
  /** What stands in the place of a text, or `undefined` when it stays. */
  replace(text: string, path: JsonPath): string | undefined
}

const WORKLOADS = ['StatefulSet', 'Deployment', 'DaemonSet', 'CronJob', 'Job', 'Pod', 'Service']
/** The shortest name that stands for itself; a shorter one is a word of many others. */
const SHORTEST = 2

export function nameRules(objects: readonly KubeObject[]): NameRules {
  const names = objects.map(({ metadata }) => metadata.name ?? '')
  const base = baseOf(objects, names)
  const own = new Set(names.filter((name) => name === base || name.startsWith(`${base}-`)))
  const namespaces = objects.map(({ metadata }) => metadata.namespace)
  const namespace = namespaces.find((one) => one !== undefined)
  return {
    base,
    namespace,
    replace(text, path) {
      if (isNamespace(path)) return text === namespace ? '${metadata.namespace}' : undefined
      if (own.has(text) && (isName(path) || text !== base)) return nameOf(text, base)
      if (text === base && isLabel(path)) return '${metadata.name}'
      return undefined
    },
  }
}

function nameOf(name: string, base: string): string {
  return `\${metadata.name}${escaped(name.slice(base.length))}`
}

/** What most names begin with: the name of a workload, if there is one. */
function baseOf(objects: readonly KubeObject[], names: readonly string[]): string {
  const wanted = names.flatMap((name) => prefixesOf(name))
  const score = (prefix: string): number =>
    names.filter((name) => name === prefix || name.startsWith(`${prefix}-`)).length
  const rank = (prefix: string): number => {
    const kinds = objects.filter(({ metadata }) => metadata.name === prefix).map(({ kind }) => WORKLOADS.indexOf(kind))
    return Math.min(...kinds.map((index) => (index < 0 ? WORKLOADS.length : index)), WORKLOADS.length + 1)
  }
  const best = [...new Set(wanted)]
    .filter((prefix) => prefix.length >= SHORTEST && /^[a-z]/.test(prefix))
    .sort((left, right) => score(right) - score(left) || rank(left) - rank(right) || right.length - left.length)
  return best[0] ?? names[0] ?? 'example'
}

/** `a-b-c`: itself, `a-b`, `a`. */
function prefixesOf(name: string): readonly string[] {
  const parts = name.split('-')
  return parts.map((_part, index) => parts.slice(0, index + 1).join('-'))
}

/** Fields that hold the name of an object of any kind. */
const NAMES: ReadonlySet<string> = new Set([
  'name',
  'serviceName',
  'claimName',
  'secretName',
  'serviceAccountName',
  'serviceAccount',
  'configMapName',
  'volumeName',
])
/** Lists whose items have names of their own. */
const NAMED_APART =
  /^(containers|initContainers|ephemeralContainers|ports|volumes|volumeMounts|volumeDevices|env|metrics|httpHeaders|hostAliases|devices)$/

function isName(path: JsonPath): boolean {
  const last = path.at(-1)
  if (typeof last !== 'string' || !NAMES.has(last)) return false
  const [list, item] = [path.at(-3), path.at(-2)]
  return !(typeof item === 'number' && typeof list === 'string' && NAMED_APART.test(list))
}

function isNamespace(path: JsonPath): boolean {
  return path.at(-1) === 'namespace'
}

function isLabel(path: JsonPath): boolean {
  const parent = path.at(-2)
  if (path.length === 3 && path[0] === 'spec' && parent === 'selector') return true
  return parent === 'labels' || parent === 'matchLabels' || (parent === 'selector' && path.length > 2)
}

/** Text that stands for itself in a role. */
export function escaped(text: string): string {
  return text.replaceAll('${', () => '$${')
}
