import type { JsonValue } from '../../../src/core/base/json.ts'
import type { Random } from './random.ts'

/** Keys that mean something somewhere, and keys that JavaScript would trip over. */
const KEYS = [
  ...['apiVersion', 'kind', 'metadata', 'name', 'namespace', 'labels', 'annotations', 'finalizers', 'ownerReferences'],
  ...['managedFields', 'fieldsV1', 'spec', 'status', 'data', 'uid', 'resourceVersion', 'generateName', 'items'],
  ...['$patch', '$setElementOrder/containers', '$deleteFromPrimitiveList/finalizers', '$retainKeys', 'op', 'path'],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'polluted', 'f:metadata', 'k:{}', 'v:1'],
  ...['', '.', '/', '~0~1', 'a.b', '\u0000', 'ß', '\ud800', 'x-kubernetes-validations', 'containers', 'template'],
] as const

const TEXTS = [
  ...['', 'a', 'v1', 'apps/v1', '/', '..', '%2e%2e', '\u0000', '\ud800', '\u2028', '💥', 'A'.repeat(300), ' ', '\n'],
  ...['1', '-1', '1e999', '0x10', '1Gi', '-5m', '1.5', 'true', 'null', '[]', '{}', '__proto__', 'constructor'],
  ...['2026-01-01T00:00:00Z', '2026-13-45T99:99:99Z', 'not a time', '10.96.0.1', '::1', '300.1.1.1', '10.0.0.0/8'],
  ...['*', '@hourly', '* * * * *', '61 25 32 13 8', 'a=b,c in (d', 'metadata.name=a', '{"a":', '$(A)', '${a}'],
  ...['(a+)+$', '^(.*)*$', '[', '\\p{L}+', '.spec[?(@.a==1)]', '.spec..a', '{.metadata.name}', "self.a == 'b'"],
] as const

const NUMBERS = [
  ...[0, -0, 1, -1, 2, 3, 7, 0.5, -2.5, 65535, 65536, 2 ** 31, 2 ** 31 - 1, -(2 ** 31), 2 ** 53, 1e21, 1e308, -1e-308],
] as const

export function junkKey(random: Random): string {
  return random.pick(KEYS)
}

export function junkText(random: Random): string {
  if (random.chance(0.8)) return random.pick(TEXTS)
  return String.fromCharCode(...random.several(12, () => random.below(random.chance(0.5) ? 128 : 65536)))
}

/** Any JSON at all. */
export function junk(random: Random, depth = 3): JsonValue {
  return random.weighted<JsonValue>([
    [4, () => junkText(random)],
    [2, () => random.pick(NUMBERS)],
    [1, () => random.chance(0.5)],
    [1, () => null],
    [depth > 0 ? 2 : 0, () => random.several(4, () => junk(random, depth - 1))],
    [depth > 0 ? 3 : 0, () => junkObject(random, depth - 1)],
  ])
}

function junkObject(random: Random, depth: number): JsonValue {
  return Object.fromEntries(random.several(5, () => [junkKey(random), junk(random, depth)]))
}
