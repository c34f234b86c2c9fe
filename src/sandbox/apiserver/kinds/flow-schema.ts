import type { JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { columnsOf } from './common/columns.ts'
import { itemsAt, mapField, numberAt, objectAt, textAt } from './common/fields.ts'
import { keepStatus } from './common/strategies.ts'
import { validateConditions } from './flow-control/conditions-validation.ts'
import { validateFlowSchema } from './flow-control/flow-schema-validation.ts'
import type { KindRules } from './kind-rules.ts'

const gvk = { group: 'flowcontrol.apiserver.k8s.io', version: 'v1', kind: 'FlowSchema' }
const DEFAULT_PRECEDENCE = 1000

/** Which requests go to which priority level. */
export const flowSchema: KindRules = {
  gvk,
  keepsEmpty: true,
  prepareForCreate: (object) => ({ ...object, status: {} }),
  prepareForUpdate: keepStatus,
  resetFields: { main: [['status']], status: [['metadata'], ['spec']] },
  applyDefaults: (object) => mapField(object, 'spec', withPrecedence),
  validate: (object) => [...validateFlowSchema(object), ...validateConditions(object)],
  validateStatusUpdate: (object) => validateConditions(object),
  generationFields: [['spec']],
  columns: columnsOf(gvk, {
    PriorityLevel: (object) => textAt(objectAt(objectAt(object, 'spec'), 'priorityLevelConfiguration'), 'name'),
    MatchingPrecedence: precedenceOf,
    DistinguisherMethod: (object) =>
      textAt(objectAt(objectAt(object, 'spec'), 'distinguisherMethod'), 'type') || '<none>',
    MissingPL: danglingOf,
  }),
  compareRows: (left, right) =>
    precedenceOf(left) - precedenceOf(right) || ((left.metadata.name ?? '') < (right.metadata.name ?? '') ? -1 : 1),
}

/** Zero counts as absent. */
function withPrecedence(spec: JsonObject): JsonObject {
  return numberAt(spec, 'matchingPrecedence') === 0 ? { ...spec, matchingPrecedence: DEFAULT_PRECEDENCE } : spec
}

function precedenceOf(object: KubeObject): number {
  return numberAt(objectAt(object, 'spec'), 'matchingPrecedence')
}

function danglingOf(object: KubeObject): string {
  const conditions = itemsAt(objectAt(object, 'status'), 'conditions')
  const dangling = conditions.find(({ type }) => type === 'Dangling')
  return dangling ? textAt(dangling, 'status') : '?'
}
