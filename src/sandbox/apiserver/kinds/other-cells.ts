import type { KubeObject } from '../../../core/kube/object.ts'
import { type Cells, humanDuration } from './common/columns.ts'
import { itemsAt, objectAt, textAt, textsAt } from './common/fields.ts'

const count = (field: string) => (object: KubeObject) => itemsAt(objectAt(object, 'spec'), field).length
const text = (field: string) => (object: KubeObject) => textAt(objectAt(object, 'spec'), field)

const policyBinding: Cells = {
  PolicyName: text('policyName'),
  ParamRef: (object) => {
    const { name, namespace = '*' } = objectAt(objectAt(object, 'spec'), 'paramRef')
    return name === undefined ? '<unset>' : `${namespace}/${name}`
  },
}

/** By kind, the columns of kinds that have no rules of their own, or none for their columns. */
export const OTHER_CELLS: Readonly<Record<string, Cells>> = {
  CertificateSigningRequest: {
    SignerName: (object) => text('signerName')(object) || '<none>',
    Requestor: text('username'),
    RequestedDuration: (object) => {
      const { expirationSeconds } = objectAt(object, 'spec')
      return typeof expirationSeconds === 'number' ? humanDuration(expirationSeconds * 1000) : '<none>'
    },
    Condition: signingCondition,
  },
  IPAddress: { ParentRef: parentOf },
  ServiceCIDR: { CIDRs: (object) => textsAt(objectAt(object, 'spec'), 'cidrs').join(',') },
  VolumeAttributesClass: { DriverName: (object) => textAt(object, 'driverName') },
  ValidatingAdmissionPolicy: { Validations: count('validations'), ParamKind: paramKindOf },
  MutatingAdmissionPolicy: { Mutations: count('mutations'), ParamKind: paramKindOf },
  ValidatingAdmissionPolicyBinding: policyBinding,
  MutatingAdmissionPolicyBinding: policyBinding,
}

function paramKindOf(object: KubeObject): string {
  const { apiVersion, kind } = objectAt(objectAt(object, 'spec'), 'paramKind')
  return kind === undefined ? '<unset>' : `${apiVersion}/${kind}`
}

function signingCondition(object: KubeObject): string {
  const status = objectAt(object, 'status')
  const has = (type: string): boolean => itemsAt(status, 'conditions').some((condition) => condition.type === type)
  const decided = has('Approved') ? 'Approved' : 'Pending'
  const parts = [has('Denied') ? 'Denied' : decided, has('Failed') && 'Failed', status.certificate && 'Issued']
  return parts.filter(Boolean).join(',')
}

function parentOf(object: KubeObject): string {
  const { group, resource, namespace, name } = objectAt(objectAt(object, 'spec'), 'parentRef')
  if (name === undefined) return '<none>'
  const type = `${resource}${group ? `.${group}` : ''}`.toLowerCase()
  return [type, namespace, name].filter(Boolean).join('/')
}
