import { isJsonObject, type JsonObject, type JsonValue } from '../../core/base/json.ts'
import { formatObject, type KubeObject } from '../../core/kube/object.ts'
import type { Readiness } from '../../core/kube/readiness.ts'
import { renderHandOver } from '../role/compile/compile-hand-over.ts'
import { recreationProblem } from '../role/recreatable-kinds.ts'
import { checkReadable } from '../role/run/check-readable.ts'
import type { TaskKind } from '../role/task-kind.ts'
import type { TaskModifiers } from '../role/task-modifiers.ts'
import { TaskFailure, type TaskOutcome } from '../role/task-outcome.ts'
import { reportGenerated } from './generated-data.ts'
import { isReadyAwaited, judgeReadiness } from './judge-readiness.ts'
import { compileManifest, MANIFEST_SCHEMA, type Manifest, renderManifest } from './manifest.ts'
import { withData } from './secret-data.ts'
import { warnOfShortLivedJob } from './short-lived-job.ts'
import { permissionFor, useOf } from './target-object.ts'

interface CompiledEnsure extends Manifest {
  readonly retained: boolean
}

/** Makes an object be there with the fields of a manifest, owned by the resource. */
export const ensure: TaskKind<CompiledEnsure> = {
  name: 'ensure',
  doc: 'The object exists and its stated fields have these values; the resource owns it.',
  example: `- name: Settings
  ensure:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: \${metadata.name}-settings
      labels: { app: "\${metadata.name}" }
    data:
      greeting: Hello from \${metadata.name}
`,
  schema: MANIFEST_SCHEMA,
  modifiers: [
    'loop',
    'register',
    'readyWhen',
    'waitReady',
    'timeout',
    'retain',
    'adopt',
    'drift',
    'onImmutable',
    'handOver',
    'generate',
  ],

  compile(body, context) {
    if (isJsonObject(body) && body.status !== undefined) {
      context.report(['status'], 'RB1404', '`status` cannot be ensured', 'It belongs to the controller of the object.')
    }
    reportGenerated(body as JsonObject, context)
    const manifest = compileManifest(body, context)
    const problem = context.modifiers.onImmutable === 'recreate' ? recreationProblem(manifest.gvk) : undefined
    if (problem !== undefined) context.report(['kind'], 'RB1440', problem, 'Remove `onImmutable`.')
    return { ...manifest, retained: context.modifiers.retain }
  },

  check(context) {
    warnOfShortLivedJob(context)
    context.manifest({ complete: context.modifiers.handOver === undefined })
    return context.objectType
  },

  async run(manifest, context) {
    const { retain, adopt, adoptFrom, drift, onImmutable, generate } = context.modifiers
    const handOver = renderHandOver(context.modifiers.handOver, context.scope)
    const desired = withEncodedData(renderManifest(manifest, context.scope))
    const options = { task: context.task, retain, adopt, adoptFrom, drift, onImmutable, generate, handOver }
    const result = await context.objects.ensure(desired, options)
    if (!result) return { kind: 'unchanged' }
    const { object, changed, isGoing } = result
    if (isGoing && onImmutable === 'recreate') {
      return { kind: 'waiting', reason: `${formatObject(object)} is being deleted, to be made anew` }
    }
    if (isReadByExpressions(context.modifiers)) checkReadable([object])
    const readiness = judgeReadiness(object, context)
    if (readiness) context.objects.reportReadiness(object, readiness)
    const held = readiness && isReadyAwaited(context) ? holdUp(object, readiness) : undefined
    return held ?? { kind: changed ? 'changed' : 'unchanged', value: object as JsonValue }
  },

  permissions: (manifest) => [{ ...permissionFor(manifest, 'own'), ...(manifest.retained && { retained: true }) }],
  uses: (manifest) => [useOf(manifest, 'write')],
  written: ({ template }) => template,
}

function isReadByExpressions({ register, readyWhen = true }: TaskModifiers): boolean {
  return register !== undefined || readyWhen !== true
}

/** `stringData` is write-only: sent as it is, drift of it could never be seen. */
function withEncodedData(object: KubeObject): KubeObject {
  const { stringData, ...rest } = object
  if (object.kind !== 'Secret' || object.apiVersion !== 'v1' || !isJsonObject(stringData)) return object
  const encoded = Object.entries(stringData).map(([key, text]) => {
    if (typeof text !== 'string') throw new TaskFailure('Invalid', `\`stringData.${key}\` is not text`)
    return [key, Buffer.from(text, 'utf8').toString('base64')] as const
  })
  return withData(rest as KubeObject, Object.fromEntries(encoded))
}

function holdUp(object: KubeObject, readiness: Readiness): TaskOutcome | undefined {
  if (readiness.kind === 'ready') return undefined
  if (readiness.kind === 'failed') {
    throw new TaskFailure('Failed', `${formatObject(object)} has failed: ${readiness.message}`)
  }
  return { kind: 'waiting', reason: `${formatObject(object)} is not ready: ${readiness.message}` }
}
