import type { KubeObject } from '../../kube/object.ts'
import { columnsOf } from './common/columns.ts'
import { immutable } from './common/field-errors.ts'
import { mapField, objectAt, textAt, withDefaults } from './common/fields.ts'
import type { KindRules } from './kind-rules.ts'

const gvk = { group: 'networking.k8s.io', version: 'v1', kind: 'IngressClass' }

export const ingressClass: KindRules = {
  gvk,
  applyDefaults: (object) =>
    mapField(object, 'spec', (spec) =>
      mapField(spec, 'parameters', (parameters) => withDefaults(parameters, { scope: 'Cluster' })),
    ),
  validate: (object, old) =>
    old ? immutable('spec.controller', objectAt(object, 'spec').controller, objectAt(old, 'spec').controller) : [],
  generationFields: [['spec']],
  columns: columnsOf(gvk, {
    Name: nameOf,
    Controller: (object) => textAt(objectAt(object, 'spec'), 'controller'),
    Parameters: parametersOf,
  }),
}

function nameOf({ metadata }: KubeObject): string {
  return `${metadata.name}${isDefaultIngressClass(metadata) ? ' (default)' : ''}`
}

/** The class of Ingresses that name none. */
export function isDefaultIngressClass({ annotations = {} }: KubeObject['metadata']): boolean {
  return annotations['ingressclass.kubernetes.io/is-default-class'] === 'true'
}

function parametersOf(object: KubeObject): string {
  const { kind, apiGroup, name } = objectAt(objectAt(object, 'spec'), 'parameters')
  if (kind === undefined) return '<none>'
  return `${kind}${apiGroup === undefined ? '' : `.${apiGroup}`}/${name}`
}
