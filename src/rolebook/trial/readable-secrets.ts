import { isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../../core/base/json.ts'
import { type Diagnostic, diagnosticAt } from '../../core/yaml/diagnostic.ts'
import { type Flow, fieldOf, type Mark, ROLE_MARK, worstOf } from '../../engine/expression/flow/flow.ts'
import type { TaskPlaces, WrittenTask } from '../../engine/role/parse/task-places.ts'
import type { Role, Task } from '../../engine/role/role.ts'
import { printTrail } from '../../engine/role/secrecy/leak-problems.ts'
import type { TrackedTemplate } from '../../engine/role/secrecy/tracked-template.ts'
import { allTasks } from './written-place.ts'

/**
 * Warns of values of Secrets that a task puts where everybody reads them who may read the object: into labels, annotations and
 * ConfigMaps. A task that is `sensitive` says that this is meant.
 */
export function readableSecrets(role: Role, places: TaskPlaces): readonly Diagnostic[] {
  return allTasks([...role.tasks, ...(role.finalize ?? [])]).flatMap((task) => {
    const written = places.of(task)
    const flow = flowInto(task)
    const body = written?.draft.body
    if (!written || !flow || !isJsonObject(body) || task.modifiers.sensitive) return []
    return readableMaps(body, flow).flatMap((map) => secretsIn(map, written))
  })
}

/** What flows into the object that a task writes. */
function flowInto({ kind, body }: Task): Flow | undefined {
  return (kind.written?.(body) as Partial<TrackedTemplate> | undefined)?.flow
}

/** A map of texts in a manifest, and what flows into it. */
interface ReadableMap {
  readonly path: JsonPath
  readonly value: JsonValue
  readonly flow: Flow
  /** What messages call a text in it. */
  readonly what: string
}

function readableMaps(body: JsonObject, flow: Flow): readonly ReadableMap[] {
  const isConfigMap = body.kind === 'ConfigMap' && body.apiVersion === 'v1'
  const data = isConfigMap ? ['data', 'binaryData'].flatMap((name) => mapAt(body, flow, [name], 'ConfigMap')) : []
  return [...metadataIn(body, flow, []), ...data]
}

/** Those of the object, and of objects within it: the Pods of a template. */
function metadataIn(value: JsonObject, flow: Flow, path: JsonPath): readonly ReadableMap[] {
  return Object.entries(value).flatMap(([name, inner]) => {
    if (!isJsonObject(inner)) return []
    const [within, place] = [fieldOf(flow, name), [...path, name]]
    if (name !== 'metadata') return metadataIn(inner, within, place)
    return [
      ...mapAt(inner, within, [...place, 'labels'], 'label'),
      ...mapAt(inner, within, [...place, 'annotations'], 'annotation'),
    ]
  })
}

/** The map at the last step of a path, in what is around it. */
function mapAt(around: JsonObject, flow: Flow, path: JsonPath, what: string): readonly ReadableMap[] {
  const name = String(path.at(-1))
  const value = around[name]
  return value === undefined || value === null ? [] : [{ path, value, flow: fieldOf(flow, name), what }]
}

function secretsIn({ path, value, flow, what }: ReadableMap, { document, draft }: WrittenTask): readonly Diagnostic[] {
  const report = (place: JsonPath, mark: Mark, at: 'key' | 'value' = 'value'): readonly Diagnostic[] => {
    if (mark.origin !== 'secret') return []
    const trail = printTrail(mark.trail, document.source.path)
    const message = `a secret value can be read in ${what === 'ConfigMap' ? 'a ConfigMap' : `this ${what}`}${trail}`
    const hint = 'keep it in a Secret, or give a digest of it: `$sha256(…)`; `sensitive: true` says that it is meant'
    const range = document.locate([...draft.path, draft.kind.name, ...place], at)
    return [diagnosticAt(range, { severity: 'warning', code: 'RB1809', message, hint })]
  }
  if (!isJsonObject(value)) return report(path, worstOf(flow))
  return Object.keys(value).flatMap((key) => {
    const ofName = key.includes('${') ? report([...path, key], flow.names ?? ROLE_MARK, 'key') : []
    const ofValue = key.includes('${') ? flow.rest : worstOf(fieldOf(flow, key))
    return ofName.length > 0 ? ofName : report([...path, key], ofValue)
  })
}
