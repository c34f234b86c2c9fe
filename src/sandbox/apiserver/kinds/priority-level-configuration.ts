import type { JsonObject, JsonValue } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { columnsOf } from './common/columns.ts'
import { mapField, mapFields, numberAt, objectAt, textAt, withDefaults } from './common/fields.ts'
import { keepStatus } from './common/strategies.ts'
import { validateConditions } from './flow-control/conditions-validation.ts'
import { validatePriorityLevel } from './flow-control/priority-level-validation.ts'
import type { KindRules } from './kind-rules.ts'

const gvk = { group: 'flowcontrol.apiserver.k8s.io', version: 'v1', kind: 'PriorityLevelConfiguration' }

/** How many requests of a priority level run at once, and what becomes of the others. */
export const priorityLevelConfiguration: KindRules = {
  gvk,
  prepareForCreate: (object) => ({ ...object, status: {} }),
  prepareForUpdate: keepStatus,
  resetFields: { main: [['status']], status: [['metadata'], ['spec']] },
  applyDefaults: (object) => mapField(object, 'spec', defaultSpec),
  validate: (object) => [...validatePriorityLevel(object), ...validateConditions(object)],
  validateStatusUpdate: (object) => validateConditions(object),
  generationFields: [['spec']],
  columns: columnsOf(gvk, {
    Type: (object) => textAt(objectAt(object, 'spec'), 'type'),
    NominalConcurrencyShares: (object) => shown(limitedOf(object).nominalConcurrencyShares),
    Queues: (object) => shown(queuingOf(object).queues),
    HandSize: (object) => shown(queuingOf(object).handSize),
    QueueLengthLimit: (object) => shown(queuingOf(object).queueLengthLimit),
  }),
}

function defaultSpec(spec: JsonObject): JsonObject {
  return mapFields(spec, {
    exempt: (exempt) => withDefaults(exempt, { nominalConcurrencyShares: 0, lendablePercent: 0 }),
    limited: (limited) =>
      mapField(
        withDefaults(limited, { nominalConcurrencyShares: 30, lendablePercent: 0 }),
        'limitResponse',
        (response) => mapField(response, 'queuing', withQueues),
      ),
  })
}

const QUEUES = { queues: 64, handSize: 8, queueLengthLimit: 50 }

/** Zero counts as absent. */
function withQueues(queuing: JsonObject): JsonObject {
  const missing = Object.entries(QUEUES).filter(([name]) => numberAt(queuing, name) === 0)
  return missing.length === 0 ? queuing : { ...queuing, ...Object.fromEntries(missing) }
}

function limitedOf(object: KubeObject): JsonObject {
  return objectAt(objectAt(object, 'spec'), 'limited')
}

function queuingOf(object: KubeObject): JsonObject {
  return objectAt(objectAt(limitedOf(object), 'limitResponse'), 'queuing')
}

function shown(value: JsonValue | undefined): JsonValue {
  return value ?? '<none>'
}
