import type { KubeObject } from '../../../../core/kube/object.ts'

/** The name of the class for who names none: of several that are marked as default, the newest. */
export function defaultClass(
  classes: readonly KubeObject[],
  isDefault: (metadata: KubeObject['metadata']) => boolean,
): string | undefined {
  const [newest] = classes.filter(({ metadata }) => isDefault(metadata)).sort(newestFirst)
  return newest?.metadata.name
}

/** Of those created in one second, the first by name. */
function newestFirst({ metadata: left }: KubeObject, { metadata: right }: KubeObject): number {
  if (left.creationTimestamp === right.creationTimestamp) return String(left.name) < String(right.name) ? -1 : 1
  return String(left.creationTimestamp) > String(right.creationTimestamp) ? -1 : 1
}
