import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../core/base/json.ts'
import type { Gvk } from '../../core/kube/group-version-kind.ts'
import { parseYaml } from '../../core/yaml/parse-yaml.ts'
import { printYaml } from '../../core/yaml/print-yaml.ts'
import type { SourceFile } from '../../core/yaml/source-file.ts'
import type { SourceFolder } from './ansible-files.ts'

export interface FoundCrd {
  /** As `crd.yaml` of the role. */
  readonly text: string
  /** The schema of `spec` in the version of the watch. */
  readonly spec: JsonObject | undefined
}

/** Where operator-sdk puts them, in this order. */
const CRD_FOLDERS = ['config/crd/bases', 'config/crd', 'deploy/crds']
const SAMPLE_FOLDERS = ['config/samples', 'deploy/crds', 'deploy/cr']

/** The CRD of a kind. */
export function findCrd(files: SourceFolder, { group, version, kind }: Gvk): FoundCrd | undefined {
  for (const source of sourcesIn(files, CRD_FOLDERS)) {
    const documents = parseYaml(source, { dialect: 'yaml-1.1' }).documents.map(({ value }) => value)
    const crd = documents.find((one) => isCrdOf(one, group, kind))
    if (!isJsonObject(crd)) continue
    // One that stands alone is copied with its comments.
    return { text: documents.length === 1 ? source.text : printYaml([crd]), spec: specOf(crd, version) }
  }
  return undefined
}

/** Files with resources of the kind. */
export function findSamples(files: SourceFolder, { group, version, kind }: Gvk): readonly SourceFile[] {
  const apiVersion = group === '' ? version : `${group}/${version}`
  return sourcesIn(files, SAMPLE_FOLDERS).filter((source) => {
    const { documents } = parseYaml(source, { dialect: 'yaml-1.1' })
    return documents.some(({ value }) => isJsonObject(value) && value.kind === kind && value.apiVersion === apiVersion)
  })
}

function sourcesIn(files: SourceFolder, folders: readonly string[]): readonly SourceFile[] {
  return folders.flatMap((folder) => {
    const names = files.list(folder).filter((name) => /\.ya?ml$/.test(name))
    return names.flatMap((name) => files.read(`${folder}/${name}`) ?? [])
  })
}

function isCrdOf(value: JsonValue, group: string, kind: string): boolean {
  if (!isJsonObject(value) || value.kind !== 'CustomResourceDefinition' || !isJsonObject(value.spec)) return false
  const { names } = value.spec
  return value.spec.group === group && isJsonObject(names) && names.kind === kind
}

function specOf(crd: JsonObject, version: string): JsonObject | undefined {
  const versions = isJsonObject(crd.spec) && isJsonArray(crd.spec.versions) ? crd.spec.versions : []
  const found = versions.find((one) => isJsonObject(one) && one.name === version)
  let here: JsonValue | undefined = found
  for (const step of ['schema', 'openAPIV3Schema', 'properties', 'spec']) {
    here = isJsonObject(here) ? here[step] : undefined
  }
  return isJsonObject(here) ? here : undefined
}
