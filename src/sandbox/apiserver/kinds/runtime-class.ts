import type { JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { checkLabel } from '../write/names.ts'
import { columnsOf } from './common/columns.ts'
import { duplicate, type FieldErrors, immutable, invalidFor, required } from './common/field-errors.ts'
import { itemsAt, objectAt, textAt } from './common/fields.ts'
import { validateLabels } from './common/label-selectors.ts'
import type { KindRules } from './kind-rules.ts'
import { validateResources } from './pod-spec/resources-validation.ts'
import { validateTolerations } from './pod-spec/scheduling-validation.ts'

const gvk = { group: 'node.k8s.io', version: 'v1', kind: 'RuntimeClass' }

export const runtimeClass: KindRules = {
  gvk,
  unconditionalUpdate: false,
  validate: (object, old) => [...validate(object), ...(old ? immutable('handler', object.handler, old.handler) : [])],
  columns: columnsOf(gvk, { Handler: (object) => textAt(object, 'handler') }),
}

/** What does not depend on the class before. */
function validate(object: KubeObject): FieldErrors {
  const handler = textAt(object, 'handler')
  const overhead = objectAt(object, 'overhead')
  const scheduling = objectAt(object, 'scheduling')
  return [
    ...(handler === '' ? [required('handler')] : invalidFor('handler', handler, checkLabel(handler))),
    // The server looks at it as at the limits of a container.
    ...validateResources({ limits: objectAt(overhead, 'podFixed') }, 'overhead'),
    ...validateLabels(objectAt(scheduling, 'nodeSelector'), 'scheduling.nodeSelector'),
    ...validateTolerations(itemsAt(scheduling, 'tolerations'), 'scheduling.tolerations'),
    ...validateUnique(itemsAt(scheduling, 'tolerations'), 'scheduling.tolerations'),
  ]
}

function validateUnique(tolerations: readonly JsonObject[], field: string): FieldErrors {
  const seen = new Set<string>()
  return tolerations.flatMap((toleration, index) => {
    const [key, operator, value, effect] = ['key', 'operator', 'value', 'effect'].map((name) =>
      textAt(toleration, name),
    )
    const { tolerationSeconds = null } = toleration
    const printed = { Key: key, Operator: operator, Value: value, Effect: effect, TolerationSeconds: tolerationSeconds }
    const identity = JSON.stringify([key, operator, value, effect])
    if (seen.has(identity)) return [{ ...duplicate(`${field}[${index}]`, printed), shown: 'struct' as const }]
    seen.add(identity)
    return []
  })
}
