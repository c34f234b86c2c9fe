import { type Alias, isAlias, isMap, isScalar, isSeq, type ParsedNode } from 'yaml'
import type { JsonPath, JsonValue } from '../base/json.ts'
import type { SourceRange } from './diagnostic.ts'
import { placeAt, type YamlPlace } from './place-at.ts'
import { scalarOffsets } from './scalar-offsets.ts'
import type { SourceFile } from './source-file.ts'

/** One document of a file: its value, and where each part of it was written. */
export class ParsedYaml {
  readonly source: SourceFile
  /** Frozen. */
  readonly value: JsonValue
  readonly #root: ParsedNode
  readonly #targets: ReadonlyMap<Alias, ParsedNode>

  constructor(
    source: SourceFile,
    value: JsonValue,
    nodes: { root: ParsedNode; targets: ReadonlyMap<Alias, ParsedNode> },
  ) {
    this.source = source
    this.value = value
    this.#root = nodes.root
    this.#targets = nodes.targets
  }

  /**
   * Where the value at `path`, or its key, stands; where there is none, the nearest thing around it.
   *
   * `offset` counts the characters inside the text of a scalar, in any notation. `length` is the number of characters from there.
   */
  locate(path: JsonPath, at: 'key' | 'value' = 'value', offset?: number, length = 1): SourceRange {
    const node = this.#find(path, at)
    const [start, end] = node.range
    if (offset === undefined || !isScalar(node)) return { source: this.source, start, end }
    const offsets = scalarOffsets(this.source.text, node)
    const from = offsets[Math.min(offset, offsets.length - 1)] as number
    const to = offsets[Math.min(offset + length, offsets.length - 1)] as number
    return { source: this.source, start: from, end: Math.max(from, to) }
  }

  /** What stands at an offset of the file: the inverse of `locate`. */
  placeAt(offset: number): YamlPlace {
    return placeAt(this.#root, this.source.text, offset)
  }

  #find(path: JsonPath, at: 'key' | 'value'): ParsedNode {
    let here = this.#resolve(this.#root)
    for (const [index, step] of path.entries()) {
      const pair = pairOf(here, step)
      if (pair && at === 'key' && index === path.length - 1) return pair.key
      const next = pair ? (pair.value ?? pair.key) : itemOf(here, step)
      if (!next) return here
      here = this.#resolve(next)
    }
    return here
  }

  #resolve(node: ParsedNode): ParsedNode {
    return isAlias(node) ? (this.#targets.get(node) ?? node) : node
  }
}

function pairOf(node: ParsedNode, step: string | number) {
  return isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === step) : undefined
}

function itemOf(node: ParsedNode, step: string | number): ParsedNode | undefined {
  return isSeq(node) && typeof step === 'number' ? (node.items[step] as ParsedNode | undefined) : undefined
}
