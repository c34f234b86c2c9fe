import type { JsonObject } from '../../../../core/base/json.ts'
import { mapField, mapFields, mapItems, withDefaults } from '../common/fields.ts'
import { canonicalRequirements, canonicalResources } from '../common/quantity.ts'
import { rememberLast } from '../common/remember-last.ts'
import { containerDefaults } from './container-defaults.ts'
import { volumeDefaults } from './volume-defaults.ts'

/** What a pod's spec gets wherever it stands: in a Pod and in every template. */
export const podSpecDefaults = rememberLast((given: JsonObject): JsonObject => {
  let spec = withDefaults(withServiceAccountAlias(given), {
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    schedulerName: 'default-scheduler',
  })
  for (const list of ['containers', 'initContainers', 'ephemeralContainers']) {
    spec = mapItems(spec, list, containerDefaults)
  }
  spec = mapItems(spec, 'volumes', volumeDefaults)
  return mapFields(spec, { overhead: canonicalResources, resources: canonicalRequirements })
})

/** A template of pods: `spec` and `metadata` are always there. */
export function podTemplateDefaults(template: JsonObject): JsonObject {
  return mapField(withDefaults(template, { metadata: {}, spec: {} }), 'spec', podSpecDefaults)
}

/** The old name `serviceAccount` is written beside the new one. */
function withServiceAccountAlias(spec: JsonObject): JsonObject {
  const name = spec.serviceAccountName ?? spec.serviceAccount
  if (name === undefined || (name === spec.serviceAccount && name === spec.serviceAccountName)) return spec
  return { ...spec, serviceAccountName: name, serviceAccount: name }
}
