/** Aggregated discovery of a small server: core/v1 and example.com with Widgets. */
export const coreDiscovery = discovery('', [
  version('v1', [
    kind('configmaps', 'ConfigMap', 'Namespaced', '', 'v1'),
    kind('namespaces', 'Namespace', 'Cluster', '', 'v1'),
    kind('pods', 'Pod', 'Namespaced', '', 'v1', ['status', 'eviction']),
  ]),
])

export const groupDiscovery = discovery('example.com', [
  version('v1', [kind('widgets', 'Widget', 'Namespaced', 'example.com', 'v1', ['status'])]),
  version('v1beta1', [
    kind('widgets', 'Widget', 'Namespaced', 'example.com', 'v1beta1'),
    kind('gadgets', 'Gadget', 'Cluster', 'example.com', 'v1beta1'),
  ]),
])

export function discovery(group: string, versions: readonly object[]): { kind: string; items: object[] } {
  return { kind: 'APIGroupDiscoveryList', items: [{ metadata: { name: group }, versions }] }
}

export function version(name: string, resources: readonly object[], freshness = 'Current'): object {
  return { version: name, resources, freshness }
}

export function kind(
  plural: string,
  name: string,
  scope: string,
  ...rest: [string, string, (readonly string[])?]
): object {
  const [group, version, subresources = []] = rest
  return {
    resource: plural,
    responseKind: { group, version, kind: name },
    scope,
    verbs: ['get', 'list', 'watch'],
    subresources: subresources.map((subresource) => ({ subresource, responseKind: {} })),
  }
}
