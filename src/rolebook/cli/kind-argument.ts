import { isJsonArray, isJsonObject, type JsonObject } from '../../core/base/json.ts'
import { formatGroupKind, type GroupKind, parseGroupKind } from '../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import type { Connection } from '../../core/kube-client/connect.ts'
import type { Project } from '../../engine/operator/project.ts'
import { UsageError } from './command.ts'

const CRD = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' } as const

/** `KIND NAME`, `KIND/NAME`, or less. */
export function splitResource(args: readonly string[]): { readonly kind?: string; readonly name?: string } {
  const [first, second, ...more] = args
  if (first === undefined) return {}
  const slash = first.indexOf('/')
  if (more.length > 0 || (slash !== -1 && second !== undefined)) {
    throw new UsageError('expected at most a kind and a name, such as `memcached sample` or `memcached/sample`')
  }
  if (slash !== -1) return { kind: first.slice(0, slash), name: first.slice(slash + 1) }
  return second === undefined ? { kind: first } : { kind: first, name: second }
}

/**
 * The kind that a person means, by its name, plural, singular or short name, in any case, and with its group where that
 * is needed: among the kinds that have a role, else among the custom resources of the cluster.
 *
 * @throws UsageError
 */
export async function findKind(
  text: string,
  connection: Pick<Connection, 'client' | 'mapper'>,
  project?: Project,
): Promise<GroupKind> {
  const crds = await crdsOf(connection)
  const known = [...(project?.crds ?? []), ...crds].flatMap(namesIn)
  const watched = (project?.watches ?? []).map(({ watch: { gvk } }) => bareNames(gvk))
  const wanted = text.toLowerCase()
  const named = (candidates: readonly KindNames[]): readonly KindNames[] =>
    candidates.filter(({ names }) => names.includes(wanted))
  const isWatched = ({ kind }: KindNames): boolean =>
    watched.some((one) => formatGroupKind(one.kind) === formatGroupKind(kind))
  const found = [...named(watched), ...named(known)].filter((one) => project === undefined || isWatched(one))
  const kinds = [...new Map(found.map(({ kind }) => [formatGroupKind(kind), kind])).values()]
  const [only, ...others] = kinds
  if (only && others.length === 0) return only
  if (only) throw new UsageError(`"${text}" may be ${kinds.map(formatGroupKind).join(' or ')}: add the group`)
  const exact = project ? undefined : await connection.mapper.preferred(parseGroupKind(text))
  if (exact) return exact
  const candidates = (project ? watched : known).map(({ kind }) => formatGroupKind(kind))
  const which = project ? 'those with a role' : 'the custom resources of the cluster'
  throw new UsageError(
    `no kind "${text}" is known${candidates.length === 0 ? '' : `: ${which} are ${someOf(candidates)}`}`,
  )
}

const MOST_KINDS = 20

function someOf(kinds: readonly string[]): string {
  return `${kinds.slice(0, MOST_KINDS).join(', ')}${kinds.length > MOST_KINDS ? ', …' : ''}`
}

interface KindNames {
  readonly kind: GroupKind
  /** In lower case, alone and with the group. */
  readonly names: readonly string[]
}

function bareNames({ group, kind }: GroupKind): KindNames {
  return namesOf({ group, kind }, [kind])
}

function namesIn({ spec }: KubeObject): readonly KindNames[] {
  if (!isJsonObject(spec) || !isJsonObject(spec.names)) return []
  const { kind, plural, singular, shortNames } = spec.names as JsonObject
  const texts = [kind, plural, singular, ...(isJsonArray(shortNames) ? shortNames : [])]
  return [
    namesOf(
      { group: String(spec.group), kind: String(kind) },
      texts.filter((one) => typeof one === 'string'),
    ),
  ]
}

function namesOf({ group, kind }: GroupKind, texts: readonly string[]): KindNames {
  const lower = texts.map((text) => text.toLowerCase())
  return { kind: { group, kind }, names: [...lower, ...lower.map((text) => `${text}.${group}`)] }
}

/** None when they may not be read: kinds are found by their names, then. */
async function crdsOf({ client }: Pick<Connection, 'client'>): Promise<readonly KubeObject[]> {
  try {
    return (await client.list(CRD)).items
  } catch {
    return []
  }
}
