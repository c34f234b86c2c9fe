import type { Attributes, ResourceAttributes } from './attributes.ts'
import type { PolicyRule } from './authorizer.ts'

/** Whether a rule allows what is asked. */
export function ruleAllows(rule: PolicyRule, { verb, path, resource }: Attributes): boolean {
  if (!includes(rule.verbs, verb)) return false
  if (!resource) return (rule.nonResourceURLs ?? []).some((url) => url === '*' || urlCovers(url, path))
  return includes(rule.apiGroups, resource.group) && resourceMatches(rule, resource) && nameMatches(rule, resource)
}

/** `/healthz/*` covers what begins so. */
export function urlCovers(pattern: string, path: string): boolean {
  return pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.replace(/\*+$/, '')))
}

function includes(list: readonly string[] = [], value: string): boolean {
  return list.includes('*') || list.includes(value)
}

function resourceMatches({ resources = [] }: PolicyRule, { plural, subresource }: ResourceAttributes): boolean {
  const wanted = subresource === '' ? plural : `${plural}/${subresource}`
  return resources.some(
    (each) => each === '*' || each === wanted || (subresource !== '' && each === `*/${subresource}`),
  )
}

function nameMatches({ resourceNames = [] }: PolicyRule, { name }: ResourceAttributes): boolean {
  return resourceNames.length === 0 || resourceNames.includes(name)
}
