import type { JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { timestampOf } from '../write/write-request.ts'
import { itemsAt, mapField, mapItems, numberAt, objectAt, textAt, withDefaults } from './common/fields.ts'
import { canonicalRequirements } from './common/quantity.ts'
import { keepStatus } from './common/strategies.ts'
import type { KindContext, KindRules } from './kind-rules.ts'
import { ephemeralContainers } from './pod/ephemeral-containers.ts'
import { withLabelKeys } from './pod/label-keys.ts'
import { admitPod, checkAdmitted, keepPriority, withTolerations } from './pod/pod-admission.ts'
import { podColumns, podRowConditions } from './pod/pod-columns.ts'
import { podLevelDefaults } from './pod/pod-level-defaults.ts'
import { resize } from './pod/pod-resize.ts'
import { validatePodStatus } from './pod/pod-status-validation.ts'
import { validatePod } from './pod/pod-validation.ts'
import { qosClassOf } from './pod/qos-class.ts'
import { withSeenParts } from './pod/seen-parts.ts'
import { annotationWarnings, nameWarnings } from './pod-spec/pod-meta-warnings.ts'
import { podSpecDefaults } from './pod-spec/pod-spec-defaults.ts'
import { podSpecWarnings } from './pod-spec/pod-spec-warnings.ts'

/** Parts of the spec that may change while the pod lives; that it is bound to a node is none of them. */
const CHANGEABLE = [
  'activeDeadlineSeconds',
  'affinity',
  'containers',
  'ephemeralContainers',
  'initContainers',
  'nodeSelector',
  'resources',
  'schedulingGates',
  'terminationGracePeriodSeconds',
  'tolerations',
]

export const pod: KindRules = {
  gvk: { group: '', version: 'v1', kind: 'Pod' },
  keepsEmpty: true,
  warnings: (object, old) => (old ? [] : warningsOf(object)),
  applyDefaults,
  prepareForCreate: (object: KubeObject, context: KindContext) => {
    const admitted = admitPod(object, context)
    const spec = withLabelKeys(objectAt(admitted, 'spec'), object.metadata.labels ?? {})
    const gated = itemsAt(spec, 'schedulingGates').length > 0 && { conditions: [gatedCondition(context.now)] }
    return { ...admitted, spec, status: { phase: 'Pending', qosClass: qosClassOf(spec), ...gated } }
  },
  prepareForUpdate: (object, old) => withTolerations(keepPriority(keepStatus(object, old), old)),
  prepareForStatusUpdate,
  validate: (object, old, context) => {
    const errors = validatePod(object, old, context)
    if (!old && errors.length === 0) checkAdmitted(object, context)
    return errors
  },
  validateStatusUpdate: validatePodStatus,
  subresources: { ephemeralcontainers: ephemeralContainers, resize },
  generationFields: CHANGEABLE.map((name) => ['spec', name]),
  resetFields: {
    main: [['status']],
    status: [['spec'], ['metadata', 'deletionTimestamp'], ['metadata', 'ownerReferences']],
  },
  gracePeriodSeconds,
  fieldSelectors: {
    'spec.nodeName': (object) => textAt(objectAt(object, 'spec'), 'nodeName'),
    'spec.restartPolicy': (object) => textAt(objectAt(object, 'spec'), 'restartPolicy'),
    'spec.schedulerName': (object) => textAt(objectAt(object, 'spec'), 'schedulerName'),
    'spec.serviceAccountName': (object) => textAt(objectAt(object, 'spec'), 'serviceAccountName'),
    'spec.hostNetwork': (object) => String(objectAt(object, 'spec').hostNetwork === true),
    'status.phase': (object) => textAt(objectAt(object, 'status'), 'phase'),
    'status.podIP': (object) => textAt(objectAt(object, 'status'), 'podIP'),
    'status.podIPs': () => '',
    'status.nominatedNodeName': (object) => textAt(objectAt(object, 'status'), 'nominatedNodeName'),
  },
  columns: podColumns,
  rowConditions: podRowConditions,
}

function applyDefaults(object: KubeObject): KubeObject {
  let spec = podSpecDefaults(withGracePeriod(objectAt(object, 'spec')))
  for (const list of ['containers', 'initContainers']) spec = mapItems(spec, list, requestsFromLimits)
  spec = withDefaults(podLevelDefaults(spec), { enableServiceLinks: true })
  if (spec.hostNetwork === true) {
    for (const list of ['containers', 'initContainers']) spec = mapItems(spec, list, hostPorts)
  }
  return { ...object, spec, status: withAddresses(objectAt(object, 'status')) }
}

/** Why no scheduler looks at the pod yet. */
function gatedCondition(now: number): JsonObject {
  return {
    type: 'PodScheduled',
    status: 'False',
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
    lastProbeTime: null,
    lastTransitionTime: timestampOf(now),
  }
}

/** A time before now is as good as none. */
function withGracePeriod(spec: JsonObject): JsonObject {
  if (numberAt(spec, 'terminationGracePeriodSeconds') >= 0) return spec
  return { ...spec, terminationGracePeriodSeconds: 1 }
}

function requestsFromLimits(container: JsonObject): JsonObject {
  return mapField(container, 'resources', (resources) => {
    if (resources.limits === undefined) return resources
    const requests = withDefaults(objectAt(resources, 'requests'), objectAt(resources, 'limits'))
    return canonicalRequirements({ ...resources, requests })
  })
}

function hostPorts(container: JsonObject): JsonObject {
  return mapItems(container, 'ports', (port) => withDefaults(port, { hostPort: port.containerPort }))
}

function prepareForStatusUpdate(object: KubeObject, old: KubeObject): KubeObject {
  const { spec } = old
  const status = withSeenParts(objectAt(object, 'status'), objectAt(old, 'status'))
  return { ...object, metadata: { ...object.metadata, ownerReferences: old.metadata.ownerReferences }, spec, status }
}

/** The first of the addresses has a field of its own, which counts when they differ. */
function withAddresses(status: JsonObject): JsonObject {
  const { podIP } = status
  const [first] = itemsAt(status, 'podIPs')
  if (!podIP) return first === undefined ? status : { ...status, podIP: textAt(first, 'ip') }
  return first?.ip === podIP ? status : { ...status, podIPs: [{ ip: podIP }] }
}

/** A pod that was bound and has not ended gets time to stop. */
function gracePeriodSeconds(object: KubeObject, requested: number | undefined): number {
  const spec = objectAt(object, 'spec')
  const phase = textAt(objectAt(object, 'status'), 'phase')
  if (textAt(spec, 'nodeName') === '' || phase === 'Succeeded' || phase === 'Failed') return 0
  return Math.max(requested ?? numberAt(spec, 'terminationGracePeriodSeconds'), 0)
}

function warningsOf(pod: KubeObject): readonly string[] {
  return [
    ...nameWarnings(pod, "the Pod's hostname"),
    ...annotationWarnings(pod, ''),
    ...podSpecWarnings(objectAt(pod, 'spec'), 'spec'),
  ]
}
