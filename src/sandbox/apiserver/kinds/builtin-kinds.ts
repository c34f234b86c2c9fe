import { apiVersionOf, type Gvk } from '../../../core/kube/group-version-kind.ts'
import type { BuiltinSchemas } from '../../../core/schema/builtin-schemas.ts'
import type { Schema } from '../../../core/schema/schema.ts'
import { ipAddress, serviceCidr } from './address-kinds.ts'
import {
  mutatingAdmissionPolicy,
  mutatingAdmissionPolicyBinding,
  validatingAdmissionPolicy,
  validatingAdmissionPolicyBinding,
} from './admission-policies.ts'
import { apiService } from './api-service.ts'
import { certificateSigningRequest } from './certificate-signing-request.ts'
import { columnsOf } from './common/columns.ts'
import { configMap } from './config-map.ts'
import { controllerRevision } from './controller-revision.ts'
import { cronJob } from './cron-job.ts'
import { csiDriver, csiNode, csiStorageCapacity } from './csi.ts'
import { daemonSet } from './daemon-set.ts'
import { emptyForms, goDecoder, withoutEmpty } from './decode/empty-parts.ts'
import { keepingDecoder } from './decode/go-decoder.ts'
import { deployment } from './deployment.ts'
import { deviceClass } from './device-class.ts'
import { endpointSlice } from './endpoint-slice.ts'
import { endpoints } from './endpoints.ts'
import { coreEvent, event } from './event.ts'
import { flowSchema } from './flow-schema.ts'
import { horizontalPodAutoscaler, oldHorizontalPodAutoscaler } from './horizontal-pod-autoscaler.ts'
import { ingress } from './ingress.ts'
import { ingressClass } from './ingress-class.ts'
import { job } from './job.ts'
import type { KindRules } from './kind-rules.ts'
import { lease } from './lease.ts'
import { limitRange } from './limit-range.ts'
import { namespace } from './namespace.ts'
import { networkPolicy } from './network-policy.ts'
import { node } from './node.ts'
import { OTHER_CELLS } from './other-cells.ts'
import { persistentVolume } from './persistent-volume.ts'
import { persistentVolumeClaim } from './persistent-volume-claim.ts'
import { pod } from './pod.ts'
import { podDisruptionBudget } from './pod-disruption-budget.ts'
import { withClosedGates } from './pod-spec/closed-gates.ts'
import { podTemplate } from './pod-template.ts'
import { priorityClass } from './priority-class.ts'
import { priorityLevelConfiguration } from './priority-level-configuration.ts'
import { replicaSet } from './replica-set.ts'
import { replicationController } from './replication-controller.ts'
import { resourceClaim } from './resource-claim.ts'
import { resourceClaimTemplate } from './resource-claim-template.ts'
import { resourceQuota } from './resource-quota.ts'
import { resourceSlice } from './resource-slice.ts'
import { clusterRoleBinding, roleBinding } from './role-bindings.ts'
import { clusterRole, role } from './roles.ts'
import { runtimeClass } from './runtime-class.ts'
import { secret } from './secret.ts'
import { service } from './service.ts'
import { serviceAccount } from './service-account.ts'
import { statefulSet } from './stateful-set.ts'
import { storageClass } from './storage-class.ts'
import { volumeAttachment } from './volume-attachment.ts'
import { volumeAttributesClass } from './volume-attributes-class.ts'
import { mutatingWebhookConfiguration, validatingWebhookConfiguration } from './webhook-configurations.ts'

/** What the built-in kinds do on top of their schema. */
export const BUILTIN_KINDS: readonly KindRules[] = [
  apiService,
  certificateSigningRequest,
  clusterRole,
  clusterRoleBinding,
  configMap,
  controllerRevision,
  coreEvent,
  cronJob,
  csiDriver,
  csiNode,
  csiStorageCapacity,
  daemonSet,
  deployment,
  deviceClass,
  endpointSlice,
  endpoints,
  event,
  flowSchema,
  horizontalPodAutoscaler,
  ingress,
  ingressClass,
  ipAddress,
  job,
  lease,
  limitRange,
  mutatingAdmissionPolicy,
  mutatingAdmissionPolicyBinding,
  mutatingWebhookConfiguration,
  namespace,
  networkPolicy,
  node,
  oldHorizontalPodAutoscaler,
  persistentVolume,
  persistentVolumeClaim,
  pod,
  podDisruptionBudget,
  podTemplate,
  priorityClass,
  priorityLevelConfiguration,
  replicaSet,
  replicationController,
  resourceClaim,
  resourceClaimTemplate,
  resourceQuota,
  resourceSlice,
  role,
  roleBinding,
  runtimeClass,
  secret,
  service,
  serviceAccount,
  serviceCidr,
  statefulSet,
  storageClass,
  validatingAdmissionPolicy,
  validatingAdmissionPolicyBinding,
  validatingWebhookConfiguration,
  volumeAttachment,
  volumeAttributesClass,
]

/** The rules of every kind that the schemas know, those without rules of their own included, with their decoders. */
export function builtinKinds(schemas: BuiltinSchemas): readonly KindRules[] {
  const own = new Map(BUILTIN_KINDS.map((rules) => [keyOf(rules.gvk), rules]))
  const kinds = new Map(
    schemas.resources().map(({ group, version, kind }) => [keyOf({ group, version, kind }), { group, version, kind }]),
  )
  return [...kinds].map(([key, gvk]) => {
    const columns = columnsOf(gvk, OTHER_CELLS[gvk.kind])
    const rules = withClosedGates(own.get(key) ?? { gvk })
    const schema = schemas.get(gvk) as Schema
    const forms = rules.keepsEmpty ? { emptyForms: emptyForms(schema) } : {}
    return { columns, ...rules, ...forms, decode: decoderOf(rules, schema) }
  })
}

function decoderOf({ keepsEmpty }: KindRules, schema: Schema): NonNullable<KindRules['decode']> {
  return keepsEmpty ? withPlainMetadata(schema) : goDecoder(schema)
}

/** Of the metadata, empty parts count for nothing. */
function withPlainMetadata(schema: Schema): NonNullable<KindRules['decode']> {
  const decode = keepingDecoder(schema)
  const metadataSchema = schema.properties?.metadata
  return (body) => {
    const decoded = decode(body)
    const metadata = metadataSchema ? withoutEmpty(decoded.metadata, metadataSchema) : decoded.metadata
    return metadata === decoded.metadata ? decoded : { ...decoded, metadata }
  }
}

function keyOf(gvk: Gvk): string {
  return `${apiVersionOf(gvk)} ${gvk.kind}`
}
