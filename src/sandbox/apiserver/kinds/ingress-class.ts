import type { JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { checkLabel, checkPathSegment, checkSubdomain } from '../write/names.ts'
import { columnsOf } from './common/columns.ts'
import { validateDomainPath } from './common/domain-path.ts'
import { type FieldErrors, forbidden, immutable, invalidFor, oneOf, required, tooLong } from './common/field-errors.ts'
import { mapField, objectAt, textAt, withDefaults } from './common/fields.ts'
import type { KindRules } from './kind-rules.ts'

const gvk = { group: 'networking.k8s.io', version: 'v1', kind: 'IngressClass' }
const CONTROLLER = 'spec.controller'
const LONGEST_CONTROLLER = 250

export const ingressClass: KindRules = {
  gvk,
  applyDefaults: (object) =>
    mapField(object, 'spec', (spec) =>
      mapField(spec, 'parameters', (parameters) => withDefaults(parameters, { scope: 'Cluster' })),
    ),
  validate: (object, old) => [
    ...(old
      ? immutable(CONTROLLER, textAt(objectAt(object, 'spec'), 'controller'), objectAt(old, 'spec').controller)
      : []),
    ...validateSpec(objectAt(object, 'spec')),
  ],
  generationFields: [['spec']],
  columns: columnsOf(gvk, {
    Name: nameOf,
    Controller: (object) => textAt(objectAt(object, 'spec'), 'controller'),
    Parameters: parametersOf,
  }),
}

function validateSpec(spec: JsonObject): FieldErrors {
  const controller = textAt(spec, 'controller')
  return [
    ...(controller.length > LONGEST_CONTROLLER ? [tooLong(CONTROLLER, LONGEST_CONTROLLER)] : []),
    ...validateDomainPath(controller, CONTROLLER),
    ...(spec.parameters === undefined ? [] : validateParameters(objectAt(spec, 'parameters'), 'spec.parameters')),
  ]
}

function validateParameters(parameters: JsonObject, field: string): FieldErrors {
  return [
    ...validateParametersReference(parameters, field),
    ...oneOf(`${field}.scope`, textAt(parameters, 'scope'), ['Cluster', 'Namespace']),
    ...validateNamespace(parameters, `${field}.namespace`),
  ]
}

/** A reference to an object of any kind: group, kind and name. */
export function validateParametersReference(reference: JsonObject, field: string): FieldErrors {
  const { apiGroup } = reference
  return [
    ...(typeof apiGroup === 'string' ? invalidFor(`${field}.apiGroup`, apiGroup, checkSubdomain(apiGroup)) : []),
    ...['kind', 'name'].flatMap((name) => {
      const value = textAt(reference, name)
      const place = `${field}.${name}`
      return value === '' ? [required(place)] : invalidFor(place, value, checkPathSegment(value))
    }),
  ]
}

function validateNamespace({ scope, namespace }: JsonObject, field: string): FieldErrors {
  const text = `\`parameters.scope\` is set to '${scope}'`
  if (scope === 'Cluster') return namespace === undefined ? [] : [forbidden(field, text)]
  if (scope !== 'Namespace') return []
  return typeof namespace === 'string' ? invalidFor(field, namespace, checkLabel(namespace)) : [required(field, text)]
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
