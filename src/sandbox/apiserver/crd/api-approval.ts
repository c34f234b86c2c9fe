import type { FieldError } from '../../../core/schema/field-error.ts'
import type { CrdCondition, CustomResourceDefinition } from './custom-resource-definition.ts'

const ANNOTATION = 'api-approved.kubernetes.io'
const FIELD = `metadata.annotations[${ANNOTATION}]`
const MORE = 'see https://github.com/kubernetes/enhancements/pull/1111'

/** Groups of the Kubernetes project need its approval, or the admission that there is none. */
export function validateApiApproval(crd: CustomResourceDefinition): readonly FieldError[] {
  if (!isProtected(crd)) return []
  const given = approvalOf(crd)
  const needed = `protected groups must have approval annotation "${ANNOTATION}"`
  if (given === '') return [{ type: 'Required', field: FIELD, detail: `${needed}, ${MORE}` }]
  if (given.startsWith('unapproved') || URL_TEXT.test(given)) return []
  const detail = `${needed} with either a URL or a reason starting with "unapproved", ${MORE}`
  return [{ type: 'Invalid', field: FIELD, value: given, detail }]
}

const URL_TEXT = /^[a-z][a-z0-9+.-]*:\/\/[^/]+/i

function isProtected({ spec }: CustomResourceDefinition): boolean {
  return /(^|\.)(k8s|kubernetes)\.io$/.test(spec.group)
}

function approvalOf({ metadata }: CustomResourceDefinition): string {
  return metadata.annotations?.[ANNOTATION] ?? ''
}

/** What the status says about the approval; `undefined` where none is needed. */
export function approvalCondition(crd: CustomResourceDefinition): CrdCondition | undefined {
  if (!isProtected(crd)) return undefined
  const given = approvalOf(crd)
  const type = 'KubernetesAPIApprovalPolicyConformant'
  if (given.startsWith('unapproved')) {
    return { type, status: 'False', reason: 'UnapprovedAnnotation', message: `not approved: ${JSON.stringify(given)}` }
  }
  if (URL_TEXT.test(given)) {
    return { type, status: 'True', reason: 'ApprovedAnnotation', message: `approved in ${given}` }
  }
  const [error] = validateApiApproval(crd)
  const reason = given === '' ? 'MissingAnnotation' : 'InvalidAnnotation'
  return { type, status: 'False', reason, message: error?.detail ?? '' }
}
