import { isJsonObject, type JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { checkLabel1035, checkPathSegment, checkSubdomain } from '../write/names.ts'
import { timestampOf } from '../write/write-request.ts'
import { columnsOf } from './common/columns.ts'
import { type FieldErrors, invalid, invalidFor, oneOf, required } from './common/field-errors.ts'
import { itemsAt, mapField, numberAt, objectAt, textAt, withDefaults } from './common/fields.ts'
import { keepField, keepStatus } from './common/strategies.ts'
import type { KindRules } from './kind-rules.ts'

const gvk = { group: 'apiregistration.k8s.io', version: 'v1', kind: 'APIService' }

/** Who serves a version of a group: this server, or a program behind a Service. */
export const apiService: KindRules = {
  gvk,
  keepsEmpty: true,
  applyDefaults: (object) =>
    mapField(object, 'spec', (spec) => mapField(spec, 'service', (service) => withDefaults(service, { port: 443 }))),
  prepareForCreate: (object, { now }) => ({ ...object, status: isLocal(object) ? available(now) : {} }),
  prepareForUpdate: keepStatus,
  prepareForStatusUpdate: keepAllButStatus,
  resetFields: { main: [['status']], status: [['metadata'], ['spec']] },
  validate,
  validateStatusUpdate: validateConditions,
  unconditionalUpdate: false,
  nameFormat: 'path-segment',
  columns: columnsOf(gvk, { Service: serviceOf, Available: availabilityOf }),
}

export function isLocal(object: KubeObject): boolean {
  return objectAt(object, 'spec').service === undefined
}

function available(now: number): JsonObject {
  const message = 'Local APIServices are always available'
  const lastTransitionTime = timestampOf(now)
  return { conditions: [{ type: 'Available', status: 'True', lastTransitionTime, reason: 'Local', message }] }
}

/** Of the metadata, only these are kept. */
function keepAllButStatus(object: KubeObject, old: KubeObject): KubeObject {
  const { labels, annotations, finalizers, ownerReferences } = old.metadata
  const metadata = { ...object.metadata, labels, annotations, finalizers, ownerReferences }
  return keepField({ ...object, metadata }, old, 'spec')
}

function validate(object: KubeObject): FieldErrors {
  const spec = objectAt(object, 'spec')
  const [group, version] = [textAt(spec, 'group'), textAt(spec, 'version')]
  const nameless = 'only v1 may have an empty group and it better be legacy kube'
  return [
    ...validateNames(object, `${version}.${group}`),
    ...(group === '' && version !== 'v1' ? [required('spec.group', nameless)] : []),
    ...(group === '' ? [] : invalidFor('spec.group', group, checkSubdomain(group))),
    ...invalidFor('spec.version', version, checkLabel1035(version)),
    ...validatePriority(spec, 'groupPriorityMinimum', 20_000),
    ...validatePriority(spec, 'versionPriority', 1000),
    ...(isLocal(object) ? validateLocal(spec) : validateRemote(spec)),
  ]
}

/** A name that the server would make up must fit, too. */
function validateNames({ metadata }: KubeObject, wanted: string): FieldErrors {
  const misnamed = `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(wanted)}`
  return (['generateName', 'name'] as const).flatMap((field) => {
    const name = metadata[field] ?? ''
    const isFit = name === '' || name === wanted || checkPathSegment(name).length > 0
    return isFit ? [] : [invalid(`metadata.${field}`, name, misnamed)]
  })
}

function validatePriority(spec: JsonObject, name: string, most: number): FieldErrors {
  const value = numberAt(spec, name)
  return value > 0 && value <= most ? [] : [invalid(`spec.${name}`, value, `must be positive and less than ${most}`)]
}

function validateLocal({ caBundle, insecureSkipTLSVerify }: JsonObject): FieldErrors {
  const size = typeof caBundle === 'string' ? Buffer.from(caBundle, 'base64').length : 0
  const text = (field: string): string => `local APIServices may not have ${field}`
  return [
    ...(size > 0 ? [invalid('spec.caBundle', `${size} bytes`, text('a caBundle'))] : []),
    ...(insecureSkipTLSVerify === true
      ? [invalid('spec.insecureSkipTLSVerify', true, text('insecureSkipTLSVerify'))]
      : []),
  ]
}

function validateRemote(spec: JsonObject): FieldErrors {
  const service = objectAt(spec, 'service')
  const port = numberAt(service, 'port')
  const isInsecure = spec.insecureSkipTLSVerify === true && textAt(spec, 'caBundle') !== ''
  const badPort = 'port is not valid: must be between 1 and 65535, inclusive'
  return [
    ...['namespace', 'name'].flatMap((field) =>
      textAt(service, field) === '' ? [required(`spec.service.${field}`)] : [],
    ),
    ...(port < 1 || port > 65_535 ? [invalid('spec.service.port', port, badPort)] : []),
    ...(isInsecure ? [invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present')] : []),
  ]
}

function validateConditions(object: KubeObject): FieldErrors {
  return itemsAt(objectAt(object, 'status'), 'conditions').flatMap((condition, index) =>
    oneOf(`status.conditions[${index}].status`, textAt(condition, 'status'), ['True', 'False', 'Unknown']),
  )
}

function serviceOf(object: KubeObject): string {
  const { service } = objectAt(object, 'spec')
  return isJsonObject(service) ? `${service.namespace}/${service.name}` : 'Local'
}

function availabilityOf(object: KubeObject): string {
  const conditions = itemsAt(objectAt(object, 'status'), 'conditions')
  const found = conditions.find(({ type }) => type === 'Available')
  if (!found) return 'Unknown'
  const [status, reason] = [textAt(found, 'status'), textAt(found, 'reason')]
  return status === 'True' || reason === '' ? status : `${status} (${reason})`
}
