import { readFileSync } from 'node:fs'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { SandboxCluster } from '../../../sandbox/cluster/sandbox-cluster.ts'
import { UsageError } from '../command.ts'
import { readObjects } from '../read-objects.ts'

/** The objects of YAML or JSON files. @throws UsageError with every place that is wrong */
export function objectsInFiles(paths: readonly string[]): readonly KubeObject[] {
  return paths.flatMap((path) => readObjects(path, textOf(path)))
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${(error as Error).message}`)
  }
}

/** Kinds first, then namespaces, then the rest as it stands: files need not be in an order. */
export async function loadObjects(cluster: SandboxCluster, objects: readonly KubeObject[]): Promise<void> {
  const isCrd = ({ kind }: KubeObject): boolean => kind === 'CustomResourceDefinition'
  const isNamespace = ({ kind, apiVersion }: KubeObject): boolean => kind === 'Namespace' && apiVersion === 'v1'
  await cluster.install(...objects.filter(isCrd))
  for (const object of objects.filter(isNamespace)) await cluster.apply(object)
  for (const object of objects) if (!isCrd(object) && !isNamespace(object)) await cluster.apply(object)
}
