import type { JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { mapItems, numberAt, objectAt, textAt, textsAt, withDefaults } from './common/fields.ts'
import { isIPv6 } from './common/formats.ts'
import { keepField, withoutField } from './common/strategies.ts'
import type { KindContext, KindRules } from './kind-rules.ts'
import { allocate, validateAllocation } from './service/address-allocation.ts'
import { keepAllocated } from './service/allocated-values.ts'
import { serviceColumns } from './service/service-columns.ts'
import { isExternallyAccessible, isHeadless } from './service/service-traits.ts'
import { validateAddresses, validateService } from './service/service-validation.ts'
import { serviceWarnings } from './service/service-warnings.ts'
import { validateServiceStatus } from './service/status-validation.ts'

export const service: KindRules = {
  gvk: { group: '', version: 'v1', kind: 'Service' },
  warnings: serviceWarnings,
  nameFormat: 'label',
  applyDefaults: (object) => ({
    ...object,
    spec: specDefaults(objectAt(object, 'spec')),
    status: statusDefaults(withDefaults(objectAt(object, 'status'), { loadBalancer: {} })),
  }),
  prepareForCreate: (object, context) => complete({ ...object, status: { loadBalancer: {} } }, undefined, context),
  prepareForUpdate: (object, old, context) => complete(keepAllocated(object, old), old, context),
  prepareForStatusUpdate: (object, old) => keepField(object, old, 'spec'),
  // The server allocates addresses and ports before it validates.
  validateFirst: (object, old, context) => {
    const unfit = validateAddresses(objectAt(object, 'spec'))
    return unfit.length > 0 ? unfit : validateAllocation(object, old, context)
  },
  validate: validateService,
  validateStatusUpdate: validateServiceStatus,
  resetFields: { main: [['status']], status: [['spec']] },
  createOnUpdate: true,
  fieldSelectors: {
    'spec.clusterIP': (object) => textAt(objectAt(object, 'spec'), 'clusterIP'),
    'spec.type': (object) => textAt(objectAt(object, 'spec'), 'type'),
  },
  columns: serviceColumns,
}

function specDefaults(given: JsonObject): JsonObject {
  let spec = withAffinity(withDefaults(given, { sessionAffinity: 'None', type: 'ClusterIP' }))
  spec = mapItems(spec, 'ports', (port) => {
    const protocol = withDefaults(port, { protocol: 'TCP' })
    const { targetPort } = protocol
    const isUnset = targetPort === undefined || targetPort === 0 || targetPort === ''
    return isUnset ? { ...protocol, targetPort: numberAt(port, 'port') } : protocol
  })
  const { type } = spec
  if (isExternallyAccessible(spec)) spec = withDefaults(spec, { externalTrafficPolicy: 'Cluster' })
  if (type === 'NodePort' || type === 'LoadBalancer' || type === 'ClusterIP') {
    spec = withDefaults(spec, { internalTrafficPolicy: 'Cluster' })
  }
  return type === 'LoadBalancer' ? withDefaults(spec, { allocateLoadBalancerNodePorts: true }) : spec
}

const THREE_HOURS = 10800

function withAffinity(spec: JsonObject): JsonObject {
  if (spec.sessionAffinity === 'None') return withoutField(spec, 'sessionAffinityConfig')
  if (spec.sessionAffinity !== 'ClientIP') return spec
  const { timeoutSeconds = THREE_HOURS } = objectAt(objectAt(spec, 'sessionAffinityConfig'), 'clientIP')
  return { ...spec, sessionAffinityConfig: { clientIP: { timeoutSeconds } } }
}

function statusDefaults(status: JsonObject): JsonObject {
  const balancer = mapItems(objectAt(status, 'loadBalancer'), 'ingress', (ingress) =>
    textAt(ingress, 'ip') === '' ? ingress : withDefaults(ingress, { ipMode: 'VIP' }),
  )
  return { ...status, loadBalancer: balancer }
}

/** Fills in what the server chooses, unless what is given makes no sense. */
function complete(object: KubeObject, old: KubeObject | undefined, context: KindContext): KubeObject {
  const spec = withFamilies(withPluralIP(objectAt(object, 'spec')), old && objectAt(old, 'spec'))
  const completed = { ...object, spec }
  return validateAddresses(spec).length > 0 ? completed : { ...object, spec: allocate(completed, old, context) }
}

/** Old clients write `clusterIP` only. */
function withPluralIP(spec: JsonObject): JsonObject {
  const single = textAt(spec, 'clusterIP')
  return single === '' ? spec : withDefaults(spec, { clusterIPs: [single] })
}

/** The sandbox has one family of addresses; only headless Services without selector may be of both. An update keeps the policy. */
function withFamilies(spec: JsonObject, old: JsonObject | undefined): JsonObject {
  if (spec.type === 'ExternalName') return spec
  const isFree = isHeadless(spec) && Object.keys(objectAt(spec, 'selector')).length === 0
  const ipFamilyPolicy = old?.ipFamilyPolicy ?? (isFree ? 'RequireDualStack' : 'SingleStack')
  const policy = withDefaults(spec, { ipFamilyPolicy })
  // What the server makes of addresses that it does not have is to refuse them.
  if (textsAt(spec, 'clusterIPs').some(isIPv6)) return policy
  const isDual = isFree && policy.ipFamilyPolicy !== 'SingleStack'
  return withDefaults(policy, { ipFamilies: isDual ? ['IPv4', 'IPv6'] : ['IPv4'] })
}
