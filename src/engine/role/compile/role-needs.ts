import { canonicalJson, type JsonPath, printPath } from '../../../core/base/json.ts'
import type { Expression } from '../../expression/compile-expression.ts'
import type { Permission } from '../task-kind.ts'

/** Each of them once. */
export function uniquePermissions(permissions: readonly Permission[]): readonly Permission[] {
  return Object.freeze([...new Map(permissions.map((one) => [canonicalJson({ ...one }), one])).values()])
}

/** The paths of the resource that expressions read. */
export function readsOf(expressions: readonly Expression[]): readonly JsonPath[] {
  const paths = expressions.flatMap(({ inputPaths }) => inputPaths)
  return Object.freeze([...new Map(paths.map((path) => [printPath(path), path])).values()])
}

/** The keys of the annotations of the resource that expressions read. */
export function annotationsRead(expressions: readonly Expression[]): readonly string[] | 'all' {
  const keys = new Set<string>()
  for (const [first, second, key] of expressions.flatMap(({ inputPaths }) => inputPaths)) {
    const mayReadAnnotations =
      first === undefined || (first === 'metadata' && (second ?? 'annotations') === 'annotations')
    if (!mayReadAnnotations) continue
    if (typeof key !== 'string') return 'all'
    keys.add(key)
  }
  return [...keys].sort()
}
