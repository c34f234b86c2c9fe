import { type Alias, isAlias, isMap, isScalar, isSeq, type ParsedNode, type Scalar, type YAMLMap } from 'yaml'
import type { JsonValue } from '../base/json.ts'
import { type Diagnostic, diagnosticAt, type Problem } from './diagnostic.ts'
import { oldScalar, plainScalarProblem } from './plain-scalar.ts'
import type { SourceFile } from './source-file.ts'
import { FOREIGN_TEMPLATE, withExpressions } from './template-of-others.ts'

/** See `YamlOptions`. */
export type Dialect = 'strict' | 'yaml-1.1' | 'go'

export interface ReaderOptions {
  /** Values of the document, aliases counted as what they stand for. */
  readonly maxNodes: number
  readonly dialect: Dialect
}

/** Nodes to plain values, one document at a time, with everything refused that readers of YAML understand differently. */
export class NodeReader {
  readonly found: Diagnostic[] = []
  /** Which node each alias stands for. */
  readonly targets = new Map<Alias, ParsedNode>()
  protected readonly source: SourceFile
  readonly #maxNodes: number
  readonly #dialect: Dialect
  readonly #anchors = new Map<string, Anchor>()
  #nodes = 0

  constructor(source: SourceFile, { maxNodes, dialect }: ReaderOptions) {
    this.source = source
    this.#maxNodes = maxNodes
    this.#dialect = dialect
  }

  /** Values behind an alias are shared, never copied: a bomb costs nothing, it is only counted. */
  read(node: ParsedNode | null): JsonValue {
    this.#nodes += 1
    if (node === null) return null
    if (isAlias(node)) return this.#readAlias(node)
    const name = (node as { anchor?: string }).anchor
    if (name === undefined) return this.#readContent(node)
    const anchor: Anchor = { node }
    this.#anchors.set(name, anchor)
    const before = this.#nodes - 1
    const value = this.#readContent(node)
    anchor.content = { value, size: this.#nodes - before }
    return value
  }

  #readContent(node: Exclude<ParsedNode, Alias.Parsed>): JsonValue {
    if (isMap(node)) return this.readMap(node)
    if (isSeq(node)) return node.items.map((item) => this.read(item as ParsedNode))
    return this.readScalar(node)
  }

  protected readScalar(node: Scalar.Parsed): JsonValue {
    const problem = node.type === 'PLAIN' && node.tag === undefined ? plainScalarProblem(node.source) : undefined
    if (problem && this.#dialect === 'yaml-1.1') return oldScalar(node.source)
    if (problem) {
      this.#report(node, problem)
      return node.source
    }
    const { value } = node
    if (typeof value === 'number' && !isExact(value)) {
      this.#report(node, {
        code: 'RB1010',
        message: 'a number that JSON cannot hold exactly',
        hint: 'write it as text',
      })
    }
    return value as JsonValue
  }

  #readAlias(alias: Alias.Parsed): JsonValue {
    const anchor = this.#anchors.get(alias.source)
    if (!anchor) return this.refuse(alias, `there is no anchor \`&${alias.source}\` above`)
    if (!anchor.content) return this.refuse(alias, `\`*${alias.source}\` contains itself`)
    this.targets.set(alias, anchor.node)
    const before = this.#nodes
    this.#nodes += anchor.content.size
    if (this.#nodes > this.#maxNodes && before <= this.#maxNodes) {
      return this.refuse(alias, `aliases expand the document to more than ${this.#maxNodes} values`)
    }
    return anchor.content.value
  }

  protected readMap(map: YAMLMap.Parsed): JsonValue {
    const template = this.#templateIn(map)
    if (template !== undefined) return this.#refuseTemplate(map, template)
    const entries: [string, JsonValue][] = []
    const seen = new Map<string, ParsedNode>()
    for (const pair of map.items) {
      const key = this.#readKey(pair.key)
      const value = this.read(pair.value)
      if (key === undefined) continue
      const first = seen.get(key)
      if (first) this.#reportDuplicate(pair.key, first, key)
      else entries.push([key, value])
      seen.set(key, first ?? pair.key)
    }
    return Object.fromEntries(entries)
  }

  /** `{{ x }}` is a map for YAML, whose only key is a map. */
  #templateIn({ items, range }: YAMLMap.Parsed): string | undefined {
    const [only] = items
    const text = items.length === 1 && isMap(only?.key) ? this.source.text.slice(range[0], range[1]) : ''
    return /^\{\{.*\}\}$/s.test(text) ? text : undefined
  }

  #refuseTemplate(map: YAMLMap.Parsed, text: string): null {
    const hint = `write ${withExpressions(text) ?? 'an expression in quotes: "${spec.size}"'}`
    this.#report(map, { code: 'RB1008', message: FOREIGN_TEMPLATE, hint })
    return null
  }

  #readKey(node: ParsedNode): string | undefined {
    const problem = keyProblem(node)
    if (problem) {
      this.#report(node, problem)
      return undefined
    }
    return (node as Scalar<string>).value
  }

  #reportDuplicate(node: ParsedNode, first: ParsedNode, key: string): void {
    const { line } = this.source.position(first.range[0])
    this.#report(node, { code: 'RB1005', message: `duplicate key \`${key}\`: first given in line ${line}` })
  }

  protected refuse(node: ParsedNode, message: string): null {
    this.#report(node, { code: 'RB1011', message })
    return null
  }

  #report(node: ParsedNode, problem: Problem): void {
    const [start, end] = node.range
    this.found.push(diagnosticAt({ source: this.source, start, end }, problem))
  }
}

interface Anchor {
  readonly node: ParsedNode
  /** Absent while the node is being read: an alias to it would contain itself. */
  content?: { readonly value: JsonValue; readonly size: number }
}

function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
}

function keyProblem(node: ParsedNode): Problem | undefined {
  if (!isScalar(node)) return { code: 'RB1008', message: 'a key that is not plain text', hint: 'write the key as text' }
  const text = node.source
  if (node.type === 'PLAIN' && text === '<<') {
    return { code: 'RB1007', message: 'merge keys are not read', hint: 'repeat the fields, or use variables' }
  }
  const problem = node.type === 'PLAIN' && node.tag === undefined ? plainScalarProblem(text) : undefined
  if (problem) return { ...problem, hint: `write "${text}"` }
  if (typeof node.value !== 'string') {
    return { code: 'RB1008', message: `the key \`${text}\` is not text`, hint: `write "${text}"` }
  }
  return node.value === '__proto__' ? { code: 'RB1008', message: 'the key `__proto__` is not allowed' } : undefined
}
