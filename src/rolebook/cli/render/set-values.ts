import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonPath,
  type JsonValue,
  printPath,
} from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { parseYaml } from '../../../core/yaml/parse-yaml.ts'
import { SourceFile } from '../../../core/yaml/source-file.ts'
import { UsageError } from '../command.ts'

/** A value that is to stand at a path of a spec. */
export interface SetValue {
  readonly path: JsonPath
  /** `null`: nothing is to stand there. */
  readonly value: JsonValue
}

/** `ports[0].port=80`, `labels["a.b"]=x`: the value is YAML, and text where it is nothing else. @throws UsageError */
export function parseSetValue(text: string): SetValue {
  const end = text.search(/=/)
  const path = end === -1 ? undefined : parsePath(text.slice(0, end))
  if (!path) throw new UsageError(`--set ${text}: must be a path in the spec and a value, such as size=5`)
  return { path, value: parseValue(text.slice(end + 1), text) }
}

const STEP = /^(?:\.?([A-Za-z_][\w-]*)|\[(\d+)\]|\[(["'])(.+?)\3\])/

function parsePath(text: string): JsonPath | undefined {
  const path: (string | number)[] = []
  for (let rest = text; rest !== ''; ) {
    const match = STEP.exec(rest)
    if (!match || (path.length === 0 && rest.startsWith('.'))) return undefined
    const [whole, name, index, , quoted] = match
    path.push(index === undefined ? ((name ?? quoted) as string) : Number(index))
    rest = rest.slice(whole.length)
    if (/^\w/.test(rest)) return undefined
  }
  return path.length > 0 ? path : undefined
}

function parseValue(value: string, text: string): JsonValue {
  if (value === '') return ''
  const { documents, diagnostics } = parseYaml(new SourceFile('--set', value), { single: true })
  const [problem] = diagnostics
  if (problem) throw new UsageError(`--set ${text}: ${problem.message}`)
  return documents[0]?.value ?? null
}

/** The object with the value in its spec. @throws UsageError when the path leads through something that is not a map or list */
export function setValue(object: KubeObject, { path, value }: SetValue): KubeObject {
  return { ...object, spec: withValue(object.spec, path, { path, value }) }
}

function withValue(here: JsonValue | undefined, rest: JsonPath, whole: SetValue): JsonValue {
  const [step, ...further] = rest
  if (step === undefined) return whole.value
  if (typeof step === 'number') return withItem(here ?? [], step, { further, whole })
  if (here !== undefined && here !== null && !isJsonObject(here)) throw misled(whole, 'a map')
  const map: JsonObject = isJsonObject(here) ? here : {}
  const { [step]: old, ...others } = map
  if (further.length === 0 && whole.value === null) return others
  return { ...map, [step]: withValue(old, further, whole) }
}

interface Way {
  readonly further: JsonPath
  readonly whole: SetValue
}

function withItem(list: JsonValue, index: number, { further, whole }: Way): JsonValue {
  if (!isJsonArray(list)) throw misled(whole, 'a list')
  if (index > list.length)
    throw new UsageError(`--set ${printPath(whole.path)}: the list has only ${list.length} items`)
  if (further.length === 0 && whole.value === null) return list.toSpliced(index, 1)
  return list.toSpliced(index, 1, withValue(list[index], further, whole))
}

function misled({ path }: SetValue, wanted: string): UsageError {
  return new UsageError(`--set ${printPath(path)}: the path leads through a value that is not ${wanted}`)
}
