import type { KubeObject } from '../../kube/object.ts'
import { columnsOf } from './common/columns.ts'
import { type FieldErrors, immutable, oneOf, required } from './common/field-errors.ts'
import { textAt, withDefaults } from './common/fields.ts'
import type { KindRules } from './kind-rules.ts'

const gvk = { group: 'storage.k8s.io', version: 'v1', kind: 'StorageClass' }
const IMMUTABLE = ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode']

export const storageClass: KindRules = {
  gvk,
  applyDefaults: (object) => withDefaults(object, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
  validate: (object, old) => [
    ...(old ? IMMUTABLE.flatMap((field) => immutable(field, object[field], old[field])) : []),
    ...validate(object),
  ],
  columns: columnsOf(gvk, {
    Name: nameOf,
    Provisioner: (object) => textAt(object, 'provisioner'),
    ReclaimPolicy: (object) => textAt(object, 'reclaimPolicy'),
    VolumeBindingMode: (object) => textAt(object, 'volumeBindingMode'),
    AllowVolumeExpansion: (object) => object.allowVolumeExpansion === true,
  }),
}

function nameOf({ metadata }: KubeObject): string {
  return `${metadata.name}${isDefaultClass(metadata) ? ' (default)' : ''}`
}

/** The class of claims that name none. */
export function isDefaultClass({ annotations = {} }: KubeObject['metadata']): boolean {
  return ['storageclass.kubernetes.io', 'storageclass.beta.kubernetes.io'].some(
    (group) => annotations[`${group}/is-default-class`] === 'true',
  )
}

function validate(object: KubeObject): FieldErrors {
  const modes = ['Immediate', 'WaitForFirstConsumer']
  return [
    ...(textAt(object, 'provisioner') === '' ? [required('provisioner')] : []),
    ...oneOf('reclaimPolicy', textAt(object, 'reclaimPolicy'), ['Delete', 'Retain']),
    ...oneOf('volumeBindingMode', textAt(object, 'volumeBindingMode'), modes),
  ]
}
