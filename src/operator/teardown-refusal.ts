import { formatObject, type KubeObject } from '../kube/object.ts'

const MOST_NAMES = 3

/** Why resources are not torn down that new selectors do not reach: how many, which ones, and what permits it. */
export function teardownRefusal(resources: readonly KubeObject[]): string {
  const names = resources.slice(0, MOST_NAMES).map(formatObject)
  const more = resources.length > MOST_NAMES ? ', …' : ''
  const count = `${resources.length} existing resources (${names.join(', ')}${more})`
  return `the new selectors would tear down ${count}; --allow-teardown permits that`
}
