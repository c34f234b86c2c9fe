import { isJsonArray, isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../../core/base/json.ts'
import type { Template } from '../expression/compile-template.ts'
import { ANY } from '../expression/types/type.ts'
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
  runsAfterFailure: true,
  writesStatus: true,

  compile(body, context) {
    reportEngineFields(body, context)
    return context.template([], { base: ['status'], audience: 'status' })
  },

  check(context) {
    context.resourceField('status')
    return ANY
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
  const { conditions } = body
  if (isJsonArray(conditions)) {
    for (const [index, condition] of conditions.entries())
      reportEngineCondition(condition, ['conditions', index], context)
  } else reportEngineCondition(conditions, ['conditions'], context)
}

function reportEngineCondition(condition: JsonValue | undefined, path: JsonPath, context: CompileContext): void {
  if (!isEngineCondition(condition)) return
  context.report([...path, 'type'], 'RB1405', `condition "${condition.type}" is set by the engine`, HINT)
}

/** What an expression brings along (the whole status of a Deployment, say) is not the author's mistake: left out silently. */
function withoutEngineFields({ observedGeneration: _generation, ...fields }: JsonObject): JsonObject {
  const { conditions } = fields
  if (conditions === undefined) return fields
  if (!isJsonArray(conditions)) throw new TaskFailure('Invalid', '`status.conditions` is not a list')
  return { ...fields, conditions: conditions.filter((condition) => !isEngineCondition(condition)) }
}

function isEngineCondition(condition: JsonValue | undefined): condition is JsonObject & { readonly type: string } {
  return isJsonObject(condition) && ENGINE_CONDITIONS.has(condition.type)
}
