import { isJsonObject, type JsonObject, type JsonValue } from '../../core/base/json.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import type { Template } from '../expression/compile-template.ts'
import { isNeededField } from '../role/needed-fields.ts'
import type { Scope } from '../role/run/scope.ts'
import type { CompileContext } from '../role/task-kind.ts'
import { TaskFailure } from '../role/task-outcome.ts'
import { grantsOf } from './grants-of.ts'
import { checkName, parseTarget, type Target } from './target-object.ts'

/** A manifest with expressions in it. */
export interface Manifest extends Target {
  readonly template: Template
}

export const MANIFEST_SCHEMA = {
  type: 'object',
  required: ['apiVersion', 'kind', 'metadata'],
  properties: {
    apiVersion: { description: 'Group and version of the kind, without an expression.', type: 'string' },
    kind: { description: 'The kind, without an expression.', type: 'string' },
    metadata: {
      description: 'Name, namespace, labels and annotations of the object.',
      type: 'object',
      properties: {
        name: { description: 'The name of the object.', type: 'string' },
        namespace: { description: "The namespace of the object. Defaults to the resource's own.", type: 'string' },
      },
    },
  },
} as const satisfies JsonObject

export function compileManifest(body: JsonValue, context: CompileContext): Manifest {
  const { metadata } = body as { readonly metadata: JsonObject }
  if (metadata.generateName !== undefined) {
    context.report(
      ['metadata', 'generateName'],
      'RB1403',
      '`generateName` is refused',
      'Give a `name` made of the resource.',
    )
  } else if (metadata.name === undefined) {
    context.report(['metadata'], 'RB1402', '`metadata.name` is missing')
  }
  const target = parseTarget(body, context, ['metadata'])
  const grants = grantsOf(target.gvk, body as JsonObject)
  return { ...target, grants, template: context.template([], { needsValue: isNeededField }) }
}

/** The object that a manifest means in this run. @throws TaskFailure `Invalid` when its name, labels or annotations cannot be such */
export function renderManifest({ template, gvk }: Manifest, scope: Scope): KubeObject {
  const object = template.render(scope) as JsonObject & { readonly metadata: JsonObject }
  const { name, namespace, generateName } = object.metadata
  if (generateName !== undefined)
    throw new TaskFailure('Invalid', '`metadata.generateName` is refused', { field: 'metadata.generateName' })
  checkName(name, 'metadata.name', gvk)
  if (namespace !== undefined) checkName(namespace, 'metadata.namespace')
  for (const field of ['labels', 'annotations']) {
    const map = object.metadata[field]
    if (map !== undefined && !isJsonObject(map))
      throw new TaskFailure('Invalid', `\`metadata.${field}\` is not a map`, { field: `metadata.${field}` })
  }
  return object as KubeObject
}
