import type { JsonObject } from '../../core/base/json.ts'
import { type InstallSettings, metadataOf, PORTS, SERVICE_ENDING, selectorLabels } from './install-settings.ts'

/** Admits no Pod with a privilege. */
export function namespaceObject({ namespace }: InstallSettings): JsonObject {
  const modes = ['enforce', 'audit', 'warn']
  const labels = Object.fromEntries(modes.map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']))
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } }
}

/** Where metrics are. */
export function metricsService(settings: InstallSettings): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadataOf(settings, SERVICE_ENDING),
    spec: {
      selector: selectorLabels(settings),
      ports: [{ name: 'metrics', port: PORTS.metrics, targetPort: 'metrics', protocol: 'TCP' }],
    },
  }
}

/** Nothing goes in but requests for metrics, which are authenticated, and nothing goes out but to DNS and the API server. */
export function networkPolicy(settings: InstallSettings): JsonObject {
  const tcp = (...ports: readonly number[]): readonly JsonObject[] => ports.map((port) => ({ port, protocol: 'TCP' }))
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: metadataOf(settings),
    spec: {
      podSelector: { matchLabels: selectorLabels(settings) },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ ports: tcp(PORTS.metrics) }],
      egress: [
        // Resolvers stand in Pods, on nodes and outside of the cluster.
        { ports: [{ port: 53, protocol: 'UDP' }, ...tcp(53)] },
        // An API server is no Pod, and no selector reaches it: these are its usual ports.
        { ports: tcp(443, 6443) },
      ],
    },
  }
}

/** A node may be emptied, but one replica after the other. */
export function podDisruptionBudget(settings: InstallSettings): JsonObject {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: metadataOf(settings),
    spec: { maxUnavailable: 1, selector: { matchLabels: selectorLabels(settings) } },
  }
}
