import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import type { Template } from '../expression/compile-template.ts'
import type { CompileContext, TaskKind } from '../role/task-kind.ts'
import { TaskFailure } from '../role/task-outcome.ts'

/** Sets fields of the resource's status; all of them are written once, at the end of the run. */
export const status: TaskKind<Template> = {
  name: 'status',
  doc: 'These status fields of the resource.',
  example: `- name: Where it is
  status:
    url: https://\${metadata.name}.example.com
    replicas: \${spec.replicas}
`,
  schema: { type: ['object', 'string'] },
  modifiers: ['loop'],

  compile(body, context) {
    reportEngineFields(body, context)
    return context.template([], { base: ['status'], audience: 'status' })
  },

  async run(template, context) {
    const fields = template.render(context.scope)
    if (fields === undefined) return { kind: 'unchanged' }
    if (!isJsonObject(fields)) throw new TaskFailure('Invalid', 'the status is not an object')
    context.status.set(withoutEngineFields(fields))
    return { kind: 'unchanged' }
  },

  permissions: () => [],
}

const ENGINE_CONDITIONS: ReadonlySet<JsonValue | undefined> = new Set(['Ready', 'Reconciling', 'Stalled'])
const HINT = 'They are there in every status; give a condition of another type instead.'

function reportEngineFields(body: JsonValue, context: CompileContext): void {
  if (!isJsonObject(body)) return
  if (body.observedGeneration !== undefined) {
    context.report(['observedGeneration'], 'RB1405', '`observedGeneration` is set by the engine', HINT)
  }
  if (!isJsonArray(body.conditions)) return
  for (const [index, condition] of body.conditions.entries()) {
    if (!isEngineCondition(condition)) continue
    const message = `condition "${condition.type}" is set by the engine`
    context.report(['conditions', index, 'type'], 'RB1405', message, HINT)
  }
}

/** What an expression brings along (the whole status of a Deployment, say) is not the author's mistake: left out silently. */
function withoutEngineFields({ observedGeneration: _generation, ...fields }: JsonObject): JsonObject {
  if (!isJsonArray(fields.conditions)) return fields
  return { ...fields, conditions: fields.conditions.filter((condition) => !isEngineCondition(condition)) }
}

function isEngineCondition(condition: JsonValue): condition is JsonObject & { readonly type: string } {
  return isJsonObject(condition) && ENGINE_CONDITIONS.has(condition.type)
}
