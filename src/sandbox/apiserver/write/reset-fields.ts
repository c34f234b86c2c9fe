import type { JsonPath } from '../../../core/base/json.ts'
import { FieldSet } from '../../../core/schema/field-set.ts'
import type { ServedResource } from '../served-resource.ts'

interface Reset {
  readonly main: FieldSet | undefined
  readonly status: FieldSet | undefined
}

const cache = new WeakMap<ServedResource, Reset>()

/** Fields that an endpoint ignores, so that no manager owns them through it. */
export function resetFieldsOf(resource: ServedResource, subresource: string): FieldSet | undefined {
  if (resource.rules.subresources?.[subresource]) return undefined
  let reset = cache.get(resource)
  if (!reset) {
    const { main, status } = resource.rules.resetFields ?? {}
    reset = { main: toFieldSet(main), status: toFieldSet(status) }
    cache.set(resource, reset)
  }
  return subresource === 'status' ? reset.status : reset.main
}

/** By what is in them: servers of one process share them, so that what is remembered of each does not grow with every server. */
const sets = new Map<string, FieldSet>()

function toFieldSet(paths: readonly JsonPath[] | undefined): FieldSet | undefined {
  if (paths === undefined) return undefined
  const text = JSON.stringify(paths)
  const set = sets.get(text) ?? FieldSet.ofFields(paths)
  sets.set(text, set)
  return set
}
