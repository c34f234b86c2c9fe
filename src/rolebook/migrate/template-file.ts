import { isJsonArray, isJsonObject, type JsonPath, type JsonValue } from '../../core/base/json.ts'
import { parseYaml } from '../../core/yaml/parse-yaml.ts'
import type { ParsedYaml } from '../../core/yaml/parsed-yaml.ts'
import { SourceFile } from '../../core/yaml/source-file.ts'
import { splitJinja } from './jinja/split-jinja.ts'
import type { RoleNames } from './role-names.ts'
import { translateValue } from './translate-value.ts'
import { Undecided } from './undecided.ts'

/** Stands for `{{ }}` while a template is read as YAML: letters that templates do not have, as many as before where that goes. */
const OPEN = '\uE000'
const FILL = '\uE001'
const STAND_IN = new RegExp(`${OPEN}(\\d+)${FILL}*`, 'g')

/** The objects of a template whose lines become YAML. @throws Undecided, with the place in the template in its message */
export function translateTemplate(template: SourceFile, names: RoleNames): readonly JsonValue[] {
  const { path, text } = template
  const sources: string[] = []
  const parts = named(template, () => splitJinja(text))
  const replaced = parts.map((part) => {
    if ('text' in part) return part.text
    sources.push(part.source)
    const name = `${OPEN}${sources.length - 1}`
    return name + FILL.repeat(Math.max(0, part.source.length + 4 - name.length))
  })
  const source = new SourceFile(path, replaced.join(''))
  const { documents, diagnostics } = parseYaml(source, { dialect: 'yaml-1.1' })
  const [problem] = diagnostics.filter(({ severity }) => severity === 'error')
  if (problem) {
    throw new Undecided('RB1705', `${path}:${problem.line}:${problem.column}: ${problem.message}`)
  }
  return documents.map((document) => {
    const value = restore(document.value, sources)
    const isText = (at: JsonPath): boolean => isQuoted(document, at)
    return named(source, () => translateValue(value, { names, path: [], isText }), document)
  })
}

function restore(value: JsonValue, sources: readonly string[]): JsonValue {
  const text = (one: string): string =>
    one.replace(STAND_IN, (_whole, index: string) => `{{${sources[Number(index)]}}}`)
  if (typeof value === 'string') return text(value)
  if (isJsonArray(value)) return value.map((item) => restore(item, sources))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [text(key), restore(inner as JsonValue, sources)]),
  )
}

function isQuoted(document: ParsedYaml, path: JsonPath): boolean {
  const { source, start } = document.locate(path)
  return /["'|>]/.test(source.text.charAt(start))
}

/** Puts the place in this file into the message of an `Undecided`, because the task itself is in another file. */
function named<Result>(source: SourceFile, read: () => Result, document?: ParsedYaml): Result {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Undecided)) throw error
    const { path = [], offset = 0 } = error.place ?? {}
    const { line, column } = source.position(document ? document.locate(path).start : offset)
    throw new Undecided(error.code, `${source.path}:${line}:${column}: ${error.message}`, { hint: error.hint })
  }
}
