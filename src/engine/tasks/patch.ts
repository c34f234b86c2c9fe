import type { JsonObject, JsonValue } from '../../core/base/json.ts'
import { gvkOf } from '../../core/kube/group-version-kind.ts'
import { formatKey } from '../../core/kube/object.ts'
import type { TaskKind } from '../role/task-kind.ts'
import type { TaskOutcome } from '../role/task-outcome.ts'
import { compileManifest, MANIFEST_SCHEMA, type Manifest, renderManifest } from './manifest.ts'
import { permissionFor, useOf } from './target-object.ts'

interface CompiledPatch extends Manifest {
  readonly hasStatus: boolean
}

/** Sets fields of an object that another owner has, and releases them when the task or the resource goes. */
export const patch: TaskKind<CompiledPatch> = {
  name: 'patch',
  doc: 'These fields of an object that another client owns. It waits for the object and never creates it.',
  example: `- name: Mark the default account
  patch:
    apiVersion: v1
    kind: ServiceAccount
    metadata:
      name: default
      labels: { team: "\${spec.team}" }
`,
  schema: MANIFEST_SCHEMA,
  modifiers: ['loop', 'register', 'force'],

  compile(body, context) {
    const { status } = body as JsonObject
    if (!setsSomething(body as JsonObject))
      context.report([], 'RB1408', 'the patch sets no field', 'Add the fields to set.')
    return { ...compileManifest(body, context), hasStatus: status !== undefined }
  },

  check(context) {
    context.manifest({ complete: false })
    return context.objectType
  },

  async run(manifest, context): Promise<TaskOutcome> {
    const desired = renderManifest(manifest, context.scope)
    const result = await context.objects.patch(desired, { task: context.task, force: context.modifiers.force })
    if (result) return { kind: result.changed ? 'changed' : 'unchanged', value: result.object as JsonValue }
    const { name = '', namespace } = desired.metadata
    const key = await context.objects.locate({ gvk: gvkOf(desired), name, namespace })
    return { kind: 'waiting', reason: `${desired.kind} ${formatKey(key)} does not exist` }
  },

  permissions(manifest) {
    const main = permissionFor(manifest, 'patch')
    return manifest.hasStatus ? [main, { ...main, subresource: 'status' }] : [main]
  },

  uses: (manifest) => [useOf(manifest, 'write')],
  written: ({ template }) => template,
}

function setsSomething({ apiVersion: _apiVersion, kind: _kind, metadata, ...rest }: JsonObject): boolean {
  if (Object.keys(rest).length > 0) return true
  return Object.keys(metadata as JsonObject).some((key) => key !== 'name' && key !== 'namespace')
}
