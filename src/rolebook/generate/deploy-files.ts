import type { JsonObject } from '../../core/base/json.ts'
import type { BuiltinSchemas } from '../../core/schema/builtin-schemas.ts'
import type { Project } from '../../engine/operator/project.ts'
import type { ProjectFiles } from '../config/project-files.ts'
import { metricsService, namespaceObject, networkPolicy, podDisruptionBudget } from './around-the-pods.ts'
import { configMaps } from './config-maps.ts'
import { crdFile } from './crd/crd-file.ts'
import { DEFAULT_REPLICAS, deployment } from './deployment.ts'
import { type GeneratedFile, objectsFile, yamlFile } from './generated-file.ts'
import { unknownGrants } from './granting-rights.ts'
import type { InstallSettings } from './install-settings.ts'
import type { KindNames } from './kind-names.ts'
import { monitoringFiles } from './monitoring.ts'
import { neededRights } from './needed-rights.ts'
import { rbacObjects } from './rbac.ts'
import type { Right } from './right.ts'

/** What is installed, and what is known of it. */
export interface Installation {
  readonly project: Project
  readonly files: ProjectFiles
  readonly names: KindNames
  readonly builtin: BuiltinSchemas
  readonly settings: InstallSettings
}

/** Everything that an installation applies, a file for each subject, and what joins them for kustomize. */
export function deployFiles(installation: Installation): readonly GeneratedFile[] {
  const { settings } = installation
  const manifests = [
    objectsFile(
      'namespace.yaml',
      [namespaceObject(settings)],
      'The namespace of the operator: no Pod in it has a privilege.',
    ),
    ...crdFile(installation.project, installation.files),
    rbacFile(installation),
    ...(settings.builtIn ? [] : [configFile(installation)]),
    deploymentFile(installation),
    objectsFile(
      'service.yaml',
      [metricsService(settings)],
      'Where metrics are read, over TLS, by whom the API server allows it.',
    ),
    objectsFile('network-policy.yaml', [networkPolicy(settings)], NETWORK),
    objectsFile('pod-disruption-budget.yaml', [podDisruptionBudget(settings)], 'One replica at a time may be evicted.'),
  ]
  return [...manifests, kustomization(manifests, settings), ...monitoringFiles(settings)]
}

const NETWORK =
  'The operator talks to the API server and to DNS, and to nothing else.\n' +
  'Metrics may be asked for from anywhere: who asks is authenticated, and the API server itself is behind no selector.'

function deploymentFile(installation: Installation): GeneratedFile {
  const { settings } = installation
  const object = deployment(settings, { rendersCharts: rendersCharts(installation) })
  return objectsFile(
    'deployment.yaml',
    [object],
    `${replicasComment(settings)}\n${settings.builtIn ? BUILT_IN : MOUNTED}`,
  )
}

function replicasComment({ replicas = DEFAULT_REPLICAS, shards = 1 }: InstallSettings): string {
  if (shards > 1) return `${replicas} replicas share the work: the resources are split into ${shards} shards.`
  if (replicas === DEFAULT_REPLICAS) return 'Two replicas: one leads, the other stands by with warm caches.'
  return `Replicas: ${replicas}. One leads, others stand by with warm caches.`
}

const MOUNTED =
  'Whole folders are mounted, never by subPath: the kubelet does not update a subPath, so an edit would not be followed.'
const BUILT_IN = 'watches.yaml and the roles are built into the image: nothing is mounted over them.'

export function rendersCharts({ files }: Installation): boolean {
  return [...files.roles.values()].some(({ charts }) => charts !== undefined && charts.files.size > 0)
}

export function rbacFile(installation: Installation): GeneratedFile {
  const { project, settings } = installation
  const comment = [COMPUTED, ...unknownGrants(project).map((one) => `${one}.`)].join('\n')
  return objectsFile('rbac.yaml', rbacObjects(rightsOf(installation), settings), comment)
}

/** What the operator needs as its Deployment starts it. */
export function rightsOf({ project, names, settings: { name, namespace, shards } }: Installation): readonly Right[] {
  return neededRights(project, {
    names,
    namespace,
    leaderElection: { id: name, namespace, shards },
    checksReaders: true,
  })
}

const COMPUTED = 'What the operator needs for these roles, and no more: computed from what their tasks read and make.'

export function configFile({ project, files, settings }: Installation): GeneratedFile {
  const comment =
    'watches.yaml and the roles: an edit is followed without a restart.\n' +
    'Files in folders have names with dots: files/motd.txt of the role web is web.files.motd.txt.'
  return objectsFile('config.yaml', configMaps(project, files, settings), comment)
}

function kustomization(manifests: readonly GeneratedFile[], { name }: InstallSettings): GeneratedFile {
  const value: JsonObject = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: manifests.map(({ path }) => path),
  }
  const comment =
    `Everything that ${name} needs in a cluster:  kubectl apply --server-side -k .\n` +
    'Build on it:  resources: [<this folder>], with images: for your image, and\n' +
    'components: [<this folder>/components/monitoring]  for the Prometheus operator.'
  return yamlFile('kustomization.yaml', value, comment)
}
