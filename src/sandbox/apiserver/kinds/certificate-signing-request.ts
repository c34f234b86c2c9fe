import type { JsonObject } from '../../../core/base/json.ts'
import { checkLabel, checkSubdomain } from '../write/names.ts'
import { columnsOf } from './common/columns.ts'
import { duplicate, type FieldErrors, invalid, oneOf, required, tooLong } from './common/field-errors.ts'
import { itemsAt, objectAt, textAt, textsAt } from './common/fields.ts'
import { keepField, keepStatus } from './common/strategies.ts'
import type { KindRules } from './kind-rules.ts'
import { OTHER_CELLS } from './other-cells.ts'

const gvk = { group: 'certificates.k8s.io', version: 'v1', kind: 'CertificateSigningRequest' }

export const certificateSigningRequest: KindRules = {
  gvk,
  nameFormat: 'any',
  prepareForCreate: (object) => ({ ...object, status: {} }),
  prepareForUpdate: (object, old) => keepStatus(keepField(object, old, 'spec'), old),
  prepareForStatusUpdate: (object, old) => keepField(object, old, 'spec'),
  resetFields: { main: [['spec'], ['status']], status: [['spec'], ['status', 'conditions']] },
  validate: (object, old) => (old ? [] : validateSpec(objectAt(object, 'spec'))),
  validateStatusUpdate: (object, old) => {
    const [status, { certificate }] = [objectAt(object, 'status'), objectAt(old, 'status')]
    return [
      ...validateConditions(itemsAt(status, 'conditions')),
      ...(status.certificate === certificate ? [] : validateCertificate(textAt(status, 'certificate'))),
    ]
  },
  fieldSelectors: { 'spec.signerName': (object) => textAt(objectAt(object, 'spec'), 'signerName') },
  columns: columnsOf(gvk, OTHER_CELLS.CertificateSigningRequest),
}

const USAGES = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
]
const SHORTEST = 600

const DECISIONS = ['Approved', 'Denied', 'Failed']

/** Decisions are true, and approval and denial exclude each other. */
function validateConditions(conditions: readonly JsonObject[]): FieldErrors {
  const field = 'status.conditions'
  const types = conditions.map((condition) => textAt(condition, 'type'))
  return conditions.flatMap((condition, index) => {
    const [type, status] = [textAt(condition, 'type'), textAt(condition, 'status')]
    const allowed = DECISIONS.includes(type) ? ['True'] : ['False', 'True', 'Unknown']
    return [
      ...(type === '' ? [required(`${field}[${index}].type`)] : []),
      ...(status === ''
        ? [required(`${field}[${index}].status`)]
        : oneOf(`${field}[${index}].status`, status, allowed)),
      ...(types.indexOf(type) < index ? [duplicate(`${field}[${index}].type`, type)] : []),
    ]
  })
}

/** What was issued is made of nothing but certificates; whether they can be read is not looked at. */
function validateCertificate(certificate: string): FieldErrors {
  if (certificate === '') return []
  const pem = Buffer.from(certificate, 'base64').toString()
  const types = [...pem.matchAll(/-----BEGIN ([^-]*)-----[\s\S]*?-----END \1-----/g)].map(([, type = '']) => type)
  const other = types.find((type) => type !== 'CERTIFICATE')
  const refuse = (detail: string): FieldErrors => [invalid('status.certificate', '<certificate data>', detail)]
  if (other !== undefined) return refuse(`only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(other)}`)
  return types.length > 0 ? [] : refuse('must contain at least one CERTIFICATE PEM block')
}

/** Complaints about what is asked for; the signature of the request itself is the affair of who signs. */
function validateSpec(spec: JsonObject): FieldErrors {
  const usages = textsAt(spec, 'usages')
  const { request, expirationSeconds: seconds } = spec
  const pem = Buffer.from(String(request), 'base64').toString()
  const isRequest = /-----BEGIN CERTIFICATE REQUEST-----[\s\S]*-----END CERTIFICATE REQUEST-----/.test(pem)
  const text = 'may not specify a duration less than 600 seconds (10 minutes)'
  return [
    ...(isRequest ? [] : [invalid('spec.request', request, 'PEM block type must be CERTIFICATE REQUEST')]),
    ...(usages.length === 0 ? [required('spec.usages')] : []),
    ...usages.flatMap((usage, index) => oneOf(`spec.usages[${index}]`, usage, USAGES)),
    ...usages.flatMap((usage, index) =>
      usages.indexOf(usage) < index ? [duplicate(`spec.usages[${index}]`, usage)] : [],
    ),
    ...validateSigner(textAt(spec, 'signerName'), 'spec.signerName'),
    ...(Number(seconds) < SHORTEST ? [invalid('spec.expirationSeconds', seconds, text)] : []),
  ]
}

const LEGACY_SIGNER = 'kubernetes.io/legacy-unknown'

/** Of the form `example.com/signer-name`. Of each part, the first label that is wrong is named. */
function validateSigner(name: string, field: string): FieldErrors {
  if (name === '') return [required(field)]
  if (name === LEGACY_SIGNER) return [invalid(field, name, 'the legacy signerName is not allowed via this API version')]
  const [domain = '', path = '', ...more] = name.split('/')
  const form = "must be a fully qualified domain and path of the form 'example.com/signer-name'"
  if (!name.includes('/') || more.length > 0) return [invalid(field, name, form)]
  const isShort = !domain.includes('.')
  return [
    ...(domain.length > 253 ? [tooLong(field, 253)] : []),
    ...validateFirstWrong(domain, field, checkLabel),
    ...(isShort ? [invalid(field, domain, 'should be a domain with at least two segments separated by dots')] : []),
    ...validateFirstWrong(path, field, checkSubdomain),
  ]
}

function validateFirstWrong(part: string, field: string, check: (label: string) => readonly string[]): FieldErrors {
  const wrong = part.split('.').find((label) => check(label).length > 0)
  if (wrong === undefined) return []
  return check(wrong).map((complaint) =>
    invalid(field, part, `validating label ${JSON.stringify(wrong)}: ${complaint}`),
  )
}
