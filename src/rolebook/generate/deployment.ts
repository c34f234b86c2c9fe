import type { JsonObject } from '../../core/base/json.ts'
import {
  configMapNames,
  type InstallSettings,
  metadataOf,
  PORTS,
  PROJECT_ARGUMENTS,
  PROJECT_FOLDERS,
  selectorLabels,
} from './install-settings.ts'

export const DEFAULT_REPLICAS = 2

/** Who the image runs as: the user `nonroot` of distroless images. */
const USER = 65532

export interface DeploymentOptions {
  /** Whether a role may render Helm charts, which takes memory of its own. */
  readonly rendersCharts: boolean
}

/** Replicas with no privilege at all. One of them leads, or they share the work. */
export function deployment(settings: InstallSettings, options: DeploymentOptions): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadataOf(settings),
    spec: deploymentSpec(settings, options),
  }
}

export function deploymentSpec(settings: InstallSettings, options: DeploymentOptions): JsonObject {
  const labels = selectorLabels(settings)
  return {
    replicas: settings.replicas ?? DEFAULT_REPLICAS,
    selector: { matchLabels: labels },
    template: {
      metadata: {
        labels,
        annotations: { 'kubectl.kubernetes.io/default-container': 'operator' },
      },
      spec: podSpec(settings, options),
    },
  }
}

function podSpec(settings: InstallSettings, options: DeploymentOptions): JsonObject {
  const labels = selectorLabels(settings)
  return {
    serviceAccountName: settings.name,
    enableServiceLinks: false,
    // Longer than what it takes to finish what is under way.
    terminationGracePeriodSeconds: 40,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: USER,
      runAsGroup: USER,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: labels },
      },
    ],
    containers: [container(settings, options)],
    ...(settings.builtIn ? {} : { volumes: volumesOf(settings) }),
  }
}

function volumesOf(settings: InstallSettings): readonly JsonObject[] {
  return Object.entries(configMapNames(settings)).map(([volume, name]) => ({ name: volume, configMap: { name } }))
}

function container(settings: InstallSettings, { rendersCharts }: DeploymentOptions): JsonObject {
  return {
    name: 'operator',
    image: settings.image,
    args: argumentsOf(settings),
    env: [...POD_FIELDS, ...(rendersCharts ? [GIVE_BACK] : [])],
    ports: Object.entries(PORTS).map(([name, containerPort]) => ({ name, containerPort })),
    livenessProbe: { httpGet: { path: '/livez', port: 'probes' }, periodSeconds: 10, failureThreshold: 3 },
    readinessProbe: { httpGet: { path: '/readyz', port: 'probes' }, periodSeconds: 5 },
    startupProbe: { httpGet: { path: '/livez', port: 'probes' }, periodSeconds: 1, failureThreshold: 30 },
    resources: { requests: REQUESTS, limits: { memory: rendersCharts ? MEMORY_LIMIT_WITH_CHARTS : MEMORY_LIMIT } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    ...(settings.builtIn ? {} : { volumeMounts: MOUNTS }),
  }
}

const MOUNTS: readonly JsonObject[] = Object.entries(PROJECT_FOLDERS).map(([name, mountPath]) => ({
  name,
  mountPath,
  readOnly: true,
}))

const POD_FIELDS: readonly JsonObject[] = ['namespace', 'name', 'uid'].map((field) => ({
  name: `POD_${field.toUpperCase()}`,
  valueFrom: { fieldRef: { fieldPath: `metadata.${field}` } },
}))
/**
 * Large pieces of memory go back to the system when a thread that renders has ended. This is what glibc takes for large by
 * default: once it is set, glibc no longer raises it by itself and keeps such pieces for the next thread.
 */
const GIVE_BACK: JsonObject = { name: 'MALLOC_MMAP_THRESHOLD_', value: '131072' }

/** Measured: see the page on deploying. No limit of CPU: a lease that is not renewed in time costs more than it saves. */
const REQUESTS: JsonObject = { cpu: '50m', memory: '256Mi' }
const MEMORY_LIMIT = '512Mi'
/** Four threads that render have some 600 MiB each before they are stopped: what would end the process would end all its work. */
const MEMORY_LIMIT_WITH_CHARTS = '3Gi'

function argumentsOf({ name, watchNamespaces, shards = 1 }: InstallSettings): readonly string[] {
  return [
    'run',
    ...PROJECT_ARGUMENTS,
    ...(watchNamespaces ? [`--namespace=${watchNamespaces.join(',')}`] : []),
    '--leader-elect',
    `--leader-election-id=${name}`,
    ...(shards > 1 ? [`--shards=${shards}`] : []),
    `--metrics-bind-address=:${PORTS.metrics}`,
    `--health-probe-bind-address=:${PORTS.probes}`,
    '--log-format=json',
  ]
}
