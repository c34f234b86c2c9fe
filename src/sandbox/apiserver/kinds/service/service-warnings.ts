import type { KubeObject } from '../../../../core/kube/object.ts'
import { objectAt, textAt, textsAt } from '../common/fields.ts'
import { isHeadless } from './service-traits.ts'

/** Fields that the server takes and does not look at, or will not for long. */
export function serviceWarnings(object: KubeObject): readonly string[] {
  const spec = objectAt(object, 'spec')
  const isExternal = spec.type === 'ExternalName'
  const hasExternalIPs = textsAt(spec, 'externalIPs').length > 0
  const isClosest = spec.trafficDistribution === 'PreferClose'
  const ignored = [
    [isHeadless(spec) && textAt(spec, 'loadBalancerIP') !== '', 'spec.loadBalancerIP is ignored for headless services'],
    [isHeadless(spec) && hasExternalIPs, 'spec.externalIPs is ignored for headless services'],
    [isHeadless(spec) && spec.sessionAffinity !== 'None', 'spec.SessionAffinity is ignored for headless services'],
    [
      hasExternalIPs && !isHeadless(spec) && !isExternal,
      'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    ],
    [isExternal && hasExternalIPs, 'spec.externalIPs is ignored when spec.type is "ExternalName"'],
    [
      !isExternal && textAt(spec, 'externalName') !== '',
      'spec.externalName is ignored when spec.type is not "ExternalName"',
    ],
    [isClosest, 'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"'],
  ] as const
  return ignored.flatMap(([holds, text]) => (holds ? [text] : []))
}
