import type { FieldError } from '../../../core/schema/field-error.ts'
import type { CustomResourceDefinition } from './custom-resource-definition.ts'

const ANNOTATION = 'api-approved.kubernetes.io'
const FIELD = `metadata.annotations[${ANNOTATION}]`
const MORE = 'see https://github.com/kubernetes/enhancements/pull/1111'

/** Groups of the Kubernetes project need its approval, or the admission that there is none. */
export function validateApiApproval({ metadata, spec }: CustomResourceDefinition): readonly FieldError[] {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(spec.group)) return []
  const given = metadata.annotations?.[ANNOTATION] ?? ''
  const needed = `protected groups must have approval annotation "${ANNOTATION}"`
  if (given === '') return [{ type: 'Required', field: FIELD, detail: `${needed}, ${MORE}` }]
  if (given.startsWith('unapproved') || /^[a-z][a-z0-9+.-]*:\/\/[^/]+/i.test(given)) return []
  const detail = `${needed} with either a URL or a reason starting with "unapproved", ${MORE}`
  return [{ type: 'Invalid', field: FIELD, value: given, detail }]
}
