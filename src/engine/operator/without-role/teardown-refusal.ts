import { formatObject, type KubeObject } from '../../../core/kube/object.ts'
import { isInside, isSelected, type WatchSource } from '../watching/watched-informers.ts'

const MOST_NAMES = 3

export const NEW_SELECTORS = 'the new selectors'

/** A resource that has something of ours, and which change of `watches.yaml` takes its role away. */
export interface Loss {
  readonly resource: KubeObject
  readonly by: string
}

/** The loss of a resource under other entries of its kind; `undefined` if one of them selects it. */
export function lossOf(resource: KubeObject, kind: string, next: readonly WatchSource[]): Loss | undefined {
  if (next.some((source) => isSelected(resource, source))) return undefined
  if (next.length === 0) return { resource, by: `the removal of all entries of ${kind}` }
  return {
    resource,
    by: next.some((source) => isInside(resource, source)) ? 'the new selectors' : 'the new namespaces',
  }
}

/** Why resources that have lost their role are not torn down: how many and which they are, and what permits it. */
export function teardownRefusal(losses: readonly Loss[]): string {
  const causes = [...new Set(losses.map(({ by }) => by))].join(' and ')
  return `${causes} would tear down ${namesOf(losses)}; --allow-teardown permits that`
}

export function namesOf(losses: readonly Loss[]): string {
  const names = losses.slice(0, MOST_NAMES).map(({ resource }) => formatObject(resource))
  const more = losses.length > MOST_NAMES ? ', …' : ''
  return `${losses.length} existing resources (${names.join(', ')}${more})`
}
