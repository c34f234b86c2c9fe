import type { PolicyRule } from './authorizer.ts'
import { urlCovers } from './rule-matching.ts'

/** What `wanted` allows and `owned` does not, as the real server words it: one line a resource, sorted. */
export function missingRules(owned: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly string[] {
  const missing = wanted.flatMap(atoms).filter((atom) => !owned.some((rule) => covers(rule, atom)))
  return [...new Set(compact(missing).map(describe))].sort()
}

/** A rule that has verbs. */
type Atom = PolicyRule & { readonly verbs: readonly string[] }

/** A rule as rules of one verb and one resource each. */
function atoms(rule: PolicyRule): readonly Atom[] {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule
  const names = resourceNames.length > 0 ? resourceNames.map((name) => [name]) : [undefined]
  const found: Atom[] = []
  for (const group of apiGroups) {
    for (const resource of resources) {
      for (const verb of verbs) {
        for (const name of names) {
          found.push({ apiGroups: [group], resources: [resource], ...(name && { resourceNames: name }), verbs: [verb] })
        }
      }
    }
  }
  for (const url of nonResourceURLs) for (const verb of verbs) found.push({ nonResourceURLs: [url], verbs: [verb] })
  return found
}

function covers(rule: PolicyRule, atom: PolicyRule): boolean {
  const names = rule.resourceNames ?? []
  const wantedNames = atom.resourceNames ?? []
  return (
    coversAll(rule.verbs, atom.verbs) &&
    coversAll(rule.apiGroups, atom.apiGroups) &&
    (atom.resources ?? []).every((resource) => coversResource(rule.resources ?? [], resource)) &&
    (atom.nonResourceURLs ?? []).every((url) => (rule.nonResourceURLs ?? []).some((owned) => urlCovers(owned, url))) &&
    (names.length === 0 || (wantedNames.length > 0 && wantedNames.every((name) => names.includes(name))))
  )
}

function coversAll(owned: readonly string[] = [], wanted: readonly string[] = []): boolean {
  return owned.includes('*') || wanted.every((each) => owned.includes(each))
}

function coversResource(owned: readonly string[], wanted: string): boolean {
  if (owned.includes('*') || owned.includes(wanted)) return true
  const slash = wanted.indexOf('/')
  return slash !== -1 && owned.includes(`*${wanted.slice(slash)}`)
}

/** Rules that differ by verb alone become one. */
function compact(rules: readonly Atom[]): readonly Atom[] {
  const found = new Map<string, Atom>()
  for (const [index, rule] of rules.entries()) {
    const { verbs, ...rest } = rule
    const key = rule.nonResourceURLs ? String(index) : JSON.stringify(rest)
    const known = found.get(key)
    found.set(key, known ? { ...rest, verbs: [...known.verbs, ...verbs] } : rule)
  }
  return [...found.values()]
}

function describe({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: PolicyRule): string {
  const parts = { APIGroups: apiGroups, Resources: resources, NonResourceURLs: nonResourceURLs }
  const all = Object.entries({ ...parts, ResourceNames: resourceNames, Verbs: verbs })
  return `{${all.flatMap(([name, list]) => (list?.length ? [`${name}:${goList(list)}`] : [])).join(', ')}}`
}

/** Go's `%q` of a list. */
export function goList(list: readonly string[]): string {
  return `[${list.map((each) => JSON.stringify(each)).join(' ')}]`
}
