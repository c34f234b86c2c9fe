import type { KubeObject } from '../../../core/kube/object.ts'
import type { SandboxCluster } from '../../../sandbox/cluster/sandbox-cluster.ts'

/** Kinds first, then namespaces, then the rest as it stands: files need not be in an order. */
export async function loadObjects(cluster: SandboxCluster, objects: readonly KubeObject[]): Promise<void> {
  const isCrd = ({ kind }: KubeObject): boolean => kind === 'CustomResourceDefinition'
  const isNamespace = ({ kind, apiVersion }: KubeObject): boolean => kind === 'Namespace' && apiVersion === 'v1'
  await cluster.install(...objects.filter(isCrd))
  for (const object of objects.filter(isNamespace)) await cluster.apply(object)
  for (const object of objects) if (!isCrd(object) && !isNamespace(object)) await cluster.apply(object)
}
