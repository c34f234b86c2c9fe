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

function toFieldSet(paths: readonly JsonPath[] | undefined): FieldSet | undefined {
  return paths && FieldSet.ofFields(paths)
}
