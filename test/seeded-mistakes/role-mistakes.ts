import { isJsonArray, isJsonObject, type JsonPath, type JsonValue } from '../../src/core/base/json.ts'
import type { ParsedYaml } from '../../src/core/yaml/parsed-yaml.ts'
import { splitTemplate, wholeExpression } from '../../src/engine/expression/split-template.ts'

export const MISTAKES = ['misspelt path', 'wrong type', 'missing bracket', 'swapped variable', 'removed when'] as const

/** One edit of a role file, as a tired author makes it. */
export interface Mistake {
  readonly mistake: (typeof MISTAKES)[number]
  /** 1-based. */
  readonly line: number
  readonly before: string
  readonly after: string
  /** The whole file with it. */
  readonly text: string
}

interface Edit {
  readonly mistake: Mistake['mistake']
  readonly start: number
  readonly end: number
  readonly text: string
}

interface Place {
  readonly path: JsonPath
  readonly at: 'key' | 'value'
}

interface ExpressionPlace {
  readonly source: string
  /** Offset in the file of a place in the source. */
  offsetOf(position: number): number
}

/** Every mistake of our kinds that can be made at one place of a role, in the order of the file. */
export function mistakesIn(document: ParsedYaml): readonly Mistake[] {
  const expressions = expressionsOf(document)
  const variables = [...new Set(expressions.flatMap(({ source }) => variablesIn(source).map(({ name }) => name)))]
  const edits = [
    ...expressions.flatMap((place) => [
      ...misspeltPaths(place),
      ...missingBrackets(place),
      ...swappedVariables(place, variables),
    ]),
    ...wrongTypes(document),
    ...removedConditions(document),
  ]
  return edits.toSorted((left, right) => left.start - right.start).map((edit) => toMistake(edit, document.source.text))
}

function toMistake({ mistake, start, end, text }: Edit, whole: string): Mistake {
  const lineStart = whole.lastIndexOf('\n', start - 1) + 1
  const lineEnd = whole.indexOf('\n', end)
  const before = whole.slice(lineStart, lineEnd < 0 ? undefined : lineEnd)
  const after = whole.slice(lineStart, start) + text + whole.slice(end, lineEnd < 0 ? undefined : lineEnd)
  const line = whole.slice(0, start).split('\n').length
  return {
    mistake,
    line,
    before: before.trim(),
    after: after.trim(),
    text: whole.slice(0, start) + text + whole.slice(end),
  }
}

function misspeltPaths({ source, offsetOf }: ExpressionPlace): readonly Edit[] {
  const code = withoutTexts(source)
  return [...code.matchAll(/(?<=\.)[A-Za-z]\w{2,}|(?<![\w.$"'`])(?:metadata|spec)\b/g)].map(({ index, 0: name }) => {
    const middle = Math.floor(name.length / 2)
    const start = offsetOf(index)
    return {
      mistake: 'misspelt path',
      start,
      end: offsetOf(index + name.length),
      text: name.slice(0, middle) + name.slice(middle + 1),
    }
  })
}

function missingBrackets({ source, offsetOf }: ExpressionPlace): readonly Edit[] {
  const brackets = [...withoutTexts(source).matchAll(/[()[\]{}]/g)].map(({ index }) => index)
  // The brace that ends an expression counts, too.
  return [...brackets, source.length].map((index) => ({
    mistake: 'missing bracket',
    start: offsetOf(index),
    end: offsetOf(index) + 1,
    text: '',
  }))
}

function swappedVariables({ source, offsetOf }: ExpressionPlace, variables: readonly string[]): readonly Edit[] {
  return variablesIn(source).flatMap(({ name, index }) => {
    const other = variables[(variables.indexOf(name) + 1) % variables.length]
    if (other === undefined || other === name) return []
    return [{ mistake: 'swapped variable', start: offsetOf(index), end: offsetOf(index + name.length), text: other }]
  })
}

function variablesIn(source: string): readonly { readonly name: string; readonly index: number }[] {
  return [...withoutTexts(source).matchAll(/\$[a-z]\w*(?!\w*\()/g)].map(({ index, 0: name }) => ({ name, index }))
}

/** Of the same length, without what stands in quotes. */
function withoutTexts(source: string): string {
  return source.replaceAll(/"[^"]*"|'[^']*'/g, (text) => ' '.repeat(text.length))
}

/** A scalar of a manifest or of the status gets a value of another type. */
function wrongTypes(document: ParsedYaml): readonly Edit[] {
  const edits: Edit[] = []
  for (const [path, value] of scalarsOf(document.value, [])) {
    if (!path.some((step) => step === 'ensure' || step === 'patch' || step === 'status')) continue
    if (['apiVersion', 'kind'].includes(String(path.at(-1)))) continue
    const { start, end } = document.locate(path)
    edits.push({ mistake: 'wrong type', start, end, text: otherType(value) })
  }
  return edits
}

function otherType(value: JsonValue): string {
  if (typeof value === 'number') return '"many"'
  if (typeof value === 'boolean') return '"perhaps"'
  const whole = typeof value === 'string' ? wholeExpression(splitTemplate(value)) : undefined
  return whole === undefined ? '7' : JSON.stringify(`\${[${whole.source}, 7]}`)
}

/** The whole line of a `when`, of those that stand on one of their own. */
function removedConditions(document: ParsedYaml): readonly Edit[] {
  const { text } = document.source
  return [...text.matchAll(/^ +when: .*\n/gm)].map(({ index, 0: line }) => ({
    mistake: 'removed when',
    start: index,
    end: index + line.length,
    text: '',
  }))
}

function expressionsOf(document: ParsedYaml): readonly ExpressionPlace[] {
  return textsOf(document.value, []).flatMap(({ path, at, text }) =>
    splitTemplate(text).flatMap((part) => {
      if (!('source' in part)) return []
      const { source, offset } = part
      return [{ source, offsetOf: (position: number) => document.locate(path, at, offset + position).start }]
    }),
  )
}

function textsOf(value: JsonValue | undefined, path: JsonPath): readonly (Place & { readonly text: string })[] {
  if (typeof value === 'string') return [{ path, at: 'value', text: value }]
  if (isJsonArray(value)) return value.flatMap((item, index) => textsOf(item, [...path, index]))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, item]) => [
    { path: [...path, key], at: 'key' as const, text: key },
    ...textsOf(item, [...path, key]),
  ])
}

function scalarsOf(value: JsonValue | undefined, path: JsonPath): readonly (readonly [JsonPath, JsonValue])[] {
  if (value === undefined) return []
  if (isJsonArray(value)) return value.flatMap((item, index) => scalarsOf(item, [...path, index]))
  if (isJsonObject(value)) return Object.entries(value).flatMap(([key, item]) => scalarsOf(item, [...path, key]))
  return [[path, value]]
}
