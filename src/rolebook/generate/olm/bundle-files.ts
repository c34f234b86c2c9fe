import type { JsonObject } from '../../../core/base/json.ts'
import { metricsService, podDisruptionBudget } from '../around-the-pods.ts'
import { configMaps } from '../config-maps.ts'
import type { Installation } from '../deploy-files.ts'
import { type GeneratedFile, objectsFile, yamlFile } from '../generated-file.ts'
import { type BundleSettings, clusterServiceVersion } from './cluster-service-version.ts'

/** A bundle in the format registry+v1, and the Dockerfile of its image. */
export function bundleFiles(installation: Installation, bundle: BundleSettings): readonly GeneratedFile[] {
  const { project, files, settings } = installation
  const csv = clusterServiceVersion(installation, bundle)
  const mounted = settings.builtIn ? [] : configMaps(project, files, settings)
  const beside = [...mounted, metricsService(settings), podDisruptionBudget(settings)]
  const manifests = [
    { name: `${settings.name}.clusterserviceversion.yaml`, object: csv },
    ...project.crds.map((crd) => ({ name: `${crd.metadata.name}.crd.yaml`, object: crd as JsonObject })),
    ...beside.map((object) => ({ name: fileOf(object), object: withoutNamespace(object) })),
  ]
  const annotations = annotationsOf(settings.name, bundle)
  return [
    ...manifests.map(({ name, object }) => objectsFile(`manifests/${name}`, [object], BUNDLE_COMMENT)),
    yamlFile('metadata/annotations.yaml', { annotations }, BUNDLE_COMMENT),
    { path: 'bundle.Dockerfile', text: dockerfile(annotations) },
  ]
}

/** On top of each manifest. */
export const BUNDLE_COMMENT = 'Made by `rolebook generate olm`.'

/** `rolebook-roles.configmap.yaml`. */
function fileOf({ kind, metadata }: JsonObject): string {
  return `${(metadata as JsonObject).name}.${String(kind).toLowerCase()}.yaml`
}

/** It is installed where its OperatorGroup is. */
function withoutNamespace(object: JsonObject): JsonObject {
  const { namespace: _namespace, ...metadata } = object.metadata as JsonObject
  return { ...object, metadata }
}

const PREFIX = 'operators.operatorframework.io.bundle'

function annotationsOf(name: string, { channel }: BundleSettings): Readonly<Record<string, string>> {
  return {
    [`${PREFIX}.mediatype.v1`]: 'registry+v1',
    [`${PREFIX}.manifests.v1`]: 'manifests/',
    [`${PREFIX}.metadata.v1`]: 'metadata/',
    [`${PREFIX}.package.v1`]: name,
    [`${PREFIX}.channels.v1`]: channel,
    [`${PREFIX}.channel.default.v1`]: channel,
  }
}

function dockerfile(annotations: Readonly<Record<string, string>>): string {
  const labels = Object.entries(annotations).map(([key, value]) => `LABEL ${key}=${value}\n`)
  return `# ${BUNDLE_COMMENT}\nFROM scratch\n${labels.join('')}COPY manifests /manifests/\nCOPY metadata /metadata/\n`
}
