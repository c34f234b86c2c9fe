import type { JsonObject } from '../../core/base/json.ts'
import { type GeneratedFile, objectsFile, yamlFile } from './generated-file.ts'
import { type InstallSettings, metadataOf, nameElsewhere, selectorLabels } from './install-settings.ts'

const FOLDER = 'components/monitoring'

/** A component of kustomize that is left out unless asked for: its kinds are those of the Prometheus operator. */
export function monitoringFiles(settings: InstallSettings): readonly GeneratedFile[] {
  const component = {
    apiVersion: 'kustomize.config.k8s.io/v1alpha1',
    kind: 'Component',
    resources: ['service-monitor.yaml'],
  }
  const comment =
    'For clusters with the Prometheus operator: it reads the metrics.\n' +
    `Bind the ClusterRole to the ServiceAccount of Prometheus, or it is answered with 403.`
  const { text } = objectsFile('', [serviceMonitor(settings), readerRole(settings)], comment)
  return [
    yamlFile(
      `${FOLDER}/kustomization.yaml`,
      component,
      'Used by a kustomization that names this folder under `components`.',
    ),
    { path: `${FOLDER}/service-monitor.yaml`, text },
  ]
}

function serviceMonitor(settings: InstallSettings): JsonObject {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: metadataOf(settings),
    spec: {
      selector: { matchLabels: selectorLabels(settings) },
      endpoints: [
        {
          port: 'metrics',
          path: '/metrics',
          scheme: 'https',
          bearerTokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token',
          // The certificate is made at the start, and no client knows it, unless one is mounted (--metrics-cert-dir).
          tlsConfig: { insecureSkipVerify: true },
        },
      ],
    },
  }
}

function readerRole(settings: InstallSettings): JsonObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: nameElsewhere(settings, ':metrics-reader') },
    rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }],
  }
}
