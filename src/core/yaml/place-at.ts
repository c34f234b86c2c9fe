import { isMap, isScalar, isSeq, type Pair, type ParsedNode, type Scalar } from 'yaml'
import type { JsonPath } from '../base/json.ts'
import { scalarOffsets } from './scalar-offsets.ts'

/** What stands at an offset of a document. */
export interface YamlPlace {
  readonly path: JsonPath
  readonly at: 'key' | 'value'
  /** Absent: white space, or a mark between values. */
  readonly scalar?: PlacedScalar | undefined
}

/** A text, number or the like, as it is written. */
export interface PlacedScalar {
  /** Offsets in the file; `end` is exclusive. Quotes are within. */
  readonly start: number
  readonly end: number
  readonly text: string
  /** How much of `text` stands before the offset that was asked for. */
  readonly offset: number
  readonly isQuoted: boolean
}

/** The innermost key or value at an offset. A cursor just behind a word is still at the word. */
export function placeAt(root: ParsedNode, source: string, offset: number): YamlPlace {
  const path: (string | number)[] = []
  let here: ParsedNode = root
  for (;;) {
    if (isMap(here)) {
      const pair = here.items.findLast((one) => covers(one.key, offset) || covers(one.value, offset))
      if (!pair) return { path, at: 'value' }
      path.push(keyOf(pair))
      if (!covers(pair.value, offset)) return { path, at: 'key', scalar: scalarAt(pair.key, source, offset) }
      here = pair.value as ParsedNode
    } else if (isSeq(here)) {
      const index: number = here.items.findLastIndex((item) => covers(item as ParsedNode, offset))
      if (index === -1) return { path, at: 'value' }
      path.push(index)
      here = here.items[index] as ParsedNode
    } else {
      return { path, at: 'value', scalar: scalarAt(here, source, offset) }
    }
  }
}

function covers(node: ParsedNode | null, offset: number): boolean {
  if (!node) return false
  const [start, end] = node.range
  return start <= offset && offset <= end
}

function keyOf({ key }: Pair<ParsedNode, ParsedNode | null>): string {
  return isScalar(key) ? String(key.value) : ''
}

function scalarAt(node: ParsedNode, source: string, offset: number): PlacedScalar | undefined {
  if (!isScalar(node)) return undefined
  const scalar = node as Scalar.Parsed
  const [start, end] = scalar.range
  const text = String(scalar.value)
  const before = scalarOffsets(source, scalar).findIndex((place) => place >= offset)
  const isQuoted = scalar.type !== 'PLAIN'
  return { start, end, text, offset: before === -1 ? text.length : before, isQuoted }
}
