import { type Alias, isAlias, isMap, isScalar, isSeq, type Node, type Pair } from 'yaml'
import type { JsonPath, JsonValue } from '../base/json.ts'
import type { SourceRange } from './diagnostic.ts'
import { scalarOffsets } from './scalar-offsets.ts'
import type { SourceFile } from './source-file.ts'

/** One document of a file: its value, and where each part of it was written. */
export class ParsedYaml {
  readonly source: SourceFile
  /** Frozen. */
  readonly value: JsonValue
  readonly #root: Node | null
  readonly #targets: ReadonlyMap<Alias, Node>

  constructor(source: SourceFile, value: JsonValue, nodes: { root: Node | null; targets: ReadonlyMap<Alias, Node> }) {
    this.source = source
    this.value = value
    this.#root = nodes.root
    this.#targets = nodes.targets
  }

  /**
   * Where the value at `path`, or its key, stands; where there is none, the nearest thing around it.
   *
   * `offset` means a character inside the text of a scalar, whatever its notation; `length` how many from there.
   */
  locate(path: JsonPath, at: 'key' | 'value' = 'value', offset?: number, length = 1): SourceRange {
    const node = this.#find(path, at)
    const [start, end] = node?.range ?? [0, 0]
    if (offset === undefined || !isScalar(node)) return { source: this.source, start, end }
    const offsets = scalarOffsets(this.source.text, node)
    const from = offsets[Math.min(offset, offsets.length - 1)] ?? start
    const to = offsets[Math.min(offset + length, offsets.length - 1)] ?? end
    return { source: this.source, start: from, end: Math.max(from, to) }
  }

  #find(path: JsonPath, at: 'key' | 'value'): Node | null {
    let here: Node | null = this.#resolve(this.#root)
    for (const [index, step] of path.entries()) {
      const pair = pairOf(here, step)
      if (pair && at === 'key' && index === path.length - 1) return pair.key
      const next = pair ? (pair.value ?? pair.key) : itemOf(here, step)
      if (!next) return here
      here = this.#resolve(next)
    }
    return here
  }

  #resolve(node: Node | null): Node | null {
    return isAlias(node) ? (this.#targets.get(node) ?? node) : node
  }
}

function pairOf(node: Node | null, step: string | number): Pair<Node, Node | null> | undefined {
  if (!isMap(node)) return undefined
  const pairs = node.items as Pair<Node, Node | null>[]
  return pairs.find(({ key }) => isScalar(key) && key.value === step)
}

function itemOf(node: Node | null, step: string | number): Node | undefined {
  return isSeq(node) && typeof step === 'number' ? (node.items[step] as Node | undefined) : undefined
}
