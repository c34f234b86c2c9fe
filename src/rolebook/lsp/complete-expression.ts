import { getPath, isJsonArray, isJsonObject, type JsonPath, type JsonValue } from '../../core/base/json.ts'
import { SourceFile } from '../../core/yaml/source-file.ts'
import type { FunctionTable } from '../../engine/expression/function-table.ts'
import { inferType } from '../../engine/expression/infer-type.ts'
import type { SeenName } from '../../engine/expression/types/inference.ts'
import { writtenName } from '../../engine/expression/types/source-place.ts'
import { ANY, itemsOf, type Type } from '../../engine/expression/types/type.ts'
import type { SeenExpression } from '../../engine/role/check/typed-texts.ts'
import { type Cursor, closedText, MARK } from './cursor.ts'
import { documentedFunctions } from './function-docs.ts'
import { closersOf, isWithinText } from './open-expression.ts'
import { fieldOf, fieldsOf, printType } from './print-type.ts'
import { PROBE_TASK } from './probe-task.ts'
import type { ProjectView } from './project-view.ts'
import { analyseRole } from './role-analysis.ts'
import type { SchemaRules } from './schema-places.ts'
import { schemaPlaceAt } from './schema-places.ts'
import type { Suggestion } from './suggestion.ts'

export interface ExpressionContext {
  readonly view: ProjectView
  readonly role: string
  readonly rules: SchemaRules
}

/** What may stand at the cursor within an expression. */
export function completeExpression(
  cursor: Cursor,
  expression: number,
  context: ExpressionContext,
): readonly Suggestion[] {
  const source = cursor.before.slice(expression)
  if (textArgument(source)) return texts(context)
  if (isWithinText(source)) return []
  const seen = seenAt(cursor, expression, context)
  if (!seen) return []
  return suggestionsFor(source, seen)
}

/** `$file("` and `$template("` are followed by the name of a file. */
function textArgument(source: string): boolean {
  return /\$(?:file|template)\(\s*["'][^"']*$/.test(source)
}

function texts({ view, role }: ExpressionContext): readonly Suggestion[] {
  const paths = [...(view.files.roles.get(role)?.files.keys() ?? [])].filter((path) => path.startsWith('files/'))
  return paths.map((path) => ({ label: path.slice('files/'.length), kind: 'file', rank: 0 }))
}

/** An expression with the functions of its role. */
export interface Seen {
  readonly expression: Pick<SeenExpression, 'variables' | 'input'>
  readonly functions: FunctionTable
}

/** What the checks of the engine see at the cursor: first with the task as it is, then with one that cannot be wrong. */
function seenAt(cursor: Cursor, expression: number, { view, role, rules }: ExpressionContext): Seen | undefined {
  const parts = view.partsOf(role)
  if (!parts) return undefined
  const { document, place } = cursor
  const text = closedText(cursor, expression)
  const task = taskAround(document.value, place.path, rules)
  const candidates = [
    place.at === 'key' ? undefined : withValue(document.value, place.path, text),
    task && withValue(document.value, task, probeFor(getPath(document.value, task), text)),
  ]
  for (const value of candidates) {
    if (value === undefined) continue
    const analysis = analyseRole(parts, new SourceFile(document.source.path, JSON.stringify(value)))
    const found = analysis?.seen.find(({ source }) => source.includes(MARK))
    if (analysis && found) return { expression: found, functions: analysis.functions }
  }
  return undefined
}

/** The path of the innermost task around a place. */
function taskAround(value: JsonValue, path: JsonPath, rules: SchemaRules): JsonPath | undefined {
  const lengths = path.map((_step, index) => path.length - index)
  return lengths.map((length) => path.slice(0, length)).find((one) => schemaPlaceAt(value, one, rules).isTask)
}

/** A task that reads what the one that is being typed will read. */
function probeFor(task: JsonValue | undefined, text: string): JsonValue {
  const { loop, loopVar } = isJsonObject(task) ? task : {}
  const kept = typeof loop === 'string' && loop.includes(MARK) ? {} : { loop, loopVar }
  return { ...kept, [PROBE_TASK.name]: text }
}

function withValue(value: JsonValue, path: JsonPath, put: JsonValue): JsonValue {
  const [step, ...rest] = path
  if (step === undefined) return put
  if (isJsonArray(value)) return value.map((item, index) => (index === step ? withValue(item, rest, put) : item))
  if (!isJsonObject(value)) return put
  return { ...value, [step]: withValue(value[step] ?? null, rest, put) }
}

export function suggestionsFor(before: string, { expression, functions }: Seen): readonly Suggestion[] {
  const { variables, input } = expression
  const name = nameAtMark(before, { variables, input, functions })
  if (name?.kind === 'field' && name.of !== undefined && name.of !== input) return fields(itemsOf(name.of), 0)
  if (/\.\s*[\w`]*$/.test(before)) return []
  return [
    ...(name?.kind === 'variable' ? [] : fields(name?.of ?? input, 0)),
    ...[...variables].map(([label, type]) => variable(label, type)),
    ...functionsOf(functions),
  ]
}

/** The name that is being typed, as the inference sees it. What cannot be parsed yet is tried without what stands before its path. */
function nameAtMark(
  before: string,
  options: { readonly variables: ReadonlyMap<string, Type>; readonly input: Type; readonly functions: FunctionTable },
): SeenName | undefined {
  const chain = /[\w$`.]*$/.exec(before)?.[0] ?? ''
  for (const start of [before, chain]) {
    let found: SeenName | undefined
    const see = (name: SeenName): void => {
      if (name.name.includes(MARK)) found = name
    }
    try {
      inferType(`${start}${MARK}${closersOf(`${start}${MARK}`)}`, { ...options, see })
    } catch {
      continue
    }
    if (found) return found
  }
  return undefined
}

function fields(type: Type, rank: number): readonly Suggestion[] {
  return fieldsOf(type).map((name) => {
    const { type: of = ANY, doc } = fieldOf(type, name)
    return { label: name, kind: 'field', detail: printType(of), doc, rank, insert: writtenName(name) }
  })
}

function variable(name: string, type: Type): Suggestion {
  return { label: `$${name}`, kind: 'variable', detail: printType(type), rank: 1 }
}

/** Functions of the language before those of JSONata. */
function functionsOf(functions: FunctionTable): readonly Suggestion[] {
  return documentedFunctions(functions).map(({ name, call, doc, isOwn }) => ({
    label: `$${name}`,
    kind: 'function',
    detail: call,
    doc,
    rank: isOwn ? 2 : 3,
    insert: `$${name}(`,
  }))
}
