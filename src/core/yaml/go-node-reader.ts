import { isScalar, isSeq, type ParsedNode, type Scalar, type YAMLMap } from 'yaml'
import type { JsonValue } from '../base/json.ts'
import { diagnosticAt } from './diagnostic.ts'
import { goScalar } from './go-scalar.ts'
import { NodeReader } from './read-node.ts'

/**
 * Reads nodes as `sigs.k8s.io/yaml` does, through which all YAML goes into Kubernetes: keys become texts, maps can be merged,
 * of keys that stand twice the last one counts (a warning says so), and fields come in the order of their names.
 */
export class GoNodeReader extends NodeReader {
  protected override readScalar(node: Scalar.Parsed): JsonValue {
    const value = scalarOf(node)
    return typeof value === 'number' && !Number.isFinite(value) ? this.refuse(node, 'not a number of JSON') : value
  }

  protected override readMap(map: YAMLMap.Parsed): JsonValue {
    const fields = new Map<string, JsonValue>()
    for (const { key, value } of map.items) {
      if (isMergeKey(key)) {
        this.#merge(value, fields)
        continue
      }
      const given = isScalar(key) ? scalarOf(key) : null
      const read = this.read(value)
      if (given === null) this.refuse(key, 'unsupported map key')
      const name = String(given)
      if (fields.has(name)) this.#warn(value ?? key, `key ${JSON.stringify(given)} already set in map`)
      fields.set(name, read)
    }
    const names = [...fields.keys()].sort()
    return Object.fromEntries(names.map((name) => [name, fields.get(name) as JsonValue]))
  }

  /** What is merged first counts more, and what the map itself says later on counts most. */
  #merge(node: ParsedNode | null, fields: Map<string, JsonValue>): void {
    const parts = isSeq(node) ? node.items.map((item) => this.read(item as ParsedNode)).reverse() : [this.read(node)]
    for (const part of parts) {
      if (typeof part !== 'object' || part === null || Array.isArray(part)) {
        if (node) this.refuse(node, 'map merge requires map or sequence of maps as the value')
        continue
      }
      for (const [name, value] of Object.entries(part)) fields.set(name, value as JsonValue)
    }
  }

  #warn(node: ParsedNode, message: string): void {
    const [start, end] = node.range
    const problem = { code: 'RB1005', message, severity: 'warning' } as const
    this.found.push(diagnosticAt({ source: this.source, start, end }, problem))
  }
}

function isMergeKey(key: ParsedNode): boolean {
  return isScalar(key) && key.type === 'PLAIN' && key.source === '<<'
}

function scalarOf(node: Scalar.Parsed): string | number | boolean | null {
  const isPlain = node.type === 'PLAIN' && node.tag === undefined
  return isPlain ? goScalar(node.source) : (node.value as string | number | boolean | null)
}
