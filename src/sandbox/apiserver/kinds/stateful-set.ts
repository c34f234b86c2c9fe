import type { JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { columnsOf } from './common/columns.ts'
import { mapField, mapItems, objectAt, withDefaults } from './common/fields.ts'
import { REPLICAS_SCALE, readyOfWanted } from './common/replicas.ts'
import { keepStatus, specAndStatus, withoutField } from './common/strategies.ts'
import type { KindRules } from './kind-rules.ts'
import { claimSpecDefaults } from './persistent-volume-claim-spec.ts'
import { podTemplateDefaults } from './pod-spec/pod-spec-defaults.ts'
import { templateWarnings } from './pod-spec/pod-spec-warnings.ts'
import { validateChange, validateNewSpec, validateSpecUpdate, validateStatus } from './stateful-set-validation.ts'

const ZERO_STATUS = { replicas: 0, availableReplicas: 0 }
const gvk = { group: 'apps', version: 'v1', kind: 'StatefulSet' }

export const statefulSet: KindRules = {
  gvk,
  keepsEmpty: true,
  warnings: (object, old) => [...ofTemplate(object, old), ...historyWarnings(objectAt(object, 'spec'))],
  ...specAndStatus(ZERO_STATUS),
  prepareForCreate: (object) => withoutMaximum({ ...object, status: ZERO_STATUS }),
  prepareForUpdate: (object, old) => withoutMaximum(keepStatus(object, old)),
  applyDefaults: (object) =>
    withDefaults({ ...object, spec: specDefaults(objectAt(object, 'spec')) }, { status: ZERO_STATUS }),
  validate: (object, old, { stored }) =>
    old
      ? [
          ...validateSpecUpdate(objectAt(object, 'spec'), objectAt(old, 'spec')),
          ...validateChange(objectAt(stored(object), 'spec'), objectAt(old, 'spec')),
        ]
      : validateNewSpec(objectAt(object, 'spec')),
  validateStatusUpdate: (object, old) => validateStatus(objectAt(object, 'status'), objectAt(old, 'status')),
  generationFields: [['spec']],
  nameFormat: 'label',
  scale: REPLICAS_SCALE,
  columns: columnsOf(gvk, {
    Ready: readyOfWanted,
  }),
}

const ofTemplate = templateWarnings(['spec', 'template'])

function historyWarnings({ revisionHistoryLimit: limit }: JsonObject): readonly string[] {
  const text = 'a negative value retains all historical revisions; a value >= 0 is recommended'
  return Number(limit) < 0 ? [`spec.revisionHistoryLimit: ${text}`] : []
}

/** How many pods may be missing in an update is not asked of a StatefulSet by default. */
function withoutMaximum(object: KubeObject): KubeObject {
  return mapField(object, 'spec', (spec) =>
    mapField(spec, 'updateStrategy', (strategy) =>
      mapField(strategy, 'rollingUpdate', (rolling) =>
        rolling.maxUnavailable === undefined ? rolling : withoutField(rolling, 'maxUnavailable'),
      ),
    ),
  )
}

function specDefaults(given: JsonObject): JsonObject {
  const spec = withDefaults(given, {
    podManagementPolicy: 'OrderedReady',
    replicas: 1,
    revisionHistoryLimit: 10,
    serviceName: '',
    template: {},
    updateStrategy: {},
    persistentVolumeClaimRetentionPolicy: {},
  })
  const rolled = mapField(spec, 'updateStrategy', strategyDefaults)
  const retained = mapField(rolled, 'persistentVolumeClaimRetentionPolicy', (policy) =>
    withDefaults(policy, { whenDeleted: 'Retain', whenScaled: 'Retain' }),
  )
  const claimed = mapItems(retained, 'volumeClaimTemplates', (claim) => ({
    // `kind` and `apiVersion` come after the claim, because they replace what it says.
    ...claim,
    kind: 'PersistentVolumeClaim',
    apiVersion: 'v1',
    spec: claimSpecDefaults(objectAt(claim, 'spec')),
    status: withDefaults(objectAt(claim, 'status'), { phase: 'Pending' }),
  }))
  return mapField(claimed, 'template', podTemplateDefaults)
}

function strategyDefaults(given: JsonObject): JsonObject {
  const strategy =
    given.type === undefined ? withDefaults({ ...given, type: 'RollingUpdate' }, { rollingUpdate: {} }) : given
  if (strategy.type !== 'RollingUpdate') return strategy
  return mapField(strategy, 'rollingUpdate', (rolling) => withDefaults(rolling, { partition: 0 }))
}
