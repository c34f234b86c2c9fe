import { isJsonObject, type JsonValue } from '../../../core/base/json.ts'
import { columnsOf } from './common/columns.ts'
import { type FieldErrors, immutable, notNegative, required } from './common/field-errors.ts'
import { numberAt } from './common/fields.ts'
import type { KindRules } from './kind-rules.ts'

const gvk = { group: 'apps', version: 'v1', kind: 'ControllerRevision' }

function requireData(data: JsonValue | undefined): FieldErrors {
  if (data === undefined || data === null) return [required('data', 'data is mandatory')]
  return isJsonObject(data) ? [] : [required('data', 'data must be a valid JSON object')]
}

export const controllerRevision: KindRules = {
  gvk,
  validate: (object, old) => [
    ...notNegative('revision', object.revision),
    ...(old ? immutable('data', object.data, old.data) : requireData(object.data)),
  ],
  columns: columnsOf(gvk, {
    Controller: ({ metadata }) => {
      const owner = metadata.ownerReferences?.find(({ controller }) => controller === true)
      if (!owner) return '<none>'
      const [group = '', version] = owner.apiVersion.split('/')
      const kind = owner.kind.toLowerCase()
      return `${version === undefined ? kind : `${kind}.${group}`}/${owner.name}`
    },
    Revision: (object) => numberAt(object, 'revision'),
  }),
}
