import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import { apiVersionOf, type Gvk } from '../../../core/kube/group-version-kind.ts'
import { diagnosticOf, isError } from '../../../core/yaml/diagnostic.ts'
import { parseYaml } from '../../../core/yaml/parse-yaml.ts'
import type { ParsedYaml } from '../../../core/yaml/parsed-yaml.ts'
import { printYaml } from '../../../core/yaml/print-yaml.ts'
import type { SourceFile } from '../../../core/yaml/source-file.ts'
import { type KnownKinds, withCrds } from '../known-kinds.ts'
import type { Migration } from '../migration.ts'
import { Report } from '../report.ts'
import { type MigratedDefinition, migrateDefinition } from './migrate-definition.ts'

/**
 * ResourceGraphDefinitions of kro to a project of ours: a CRD, a role, an entry of watches.yaml and samples for each. What has
 * no certain translation becomes a task that fails, and a line in the report.
 */
export function migrateKro(sources: readonly SourceFile[], known: KnownKinds): Migration<string> {
  const report = new Report()
  const documents = sources.flatMap((source) => {
    const parsed = parseYaml(source, { dialect: 'yaml-1.1' })
    const errors = parsed.diagnostics.filter(isError)
    // Beside definitions lie templates of other programs, which need be no YAML.
    if (source.text.includes(KIND)) report.diagnostics.push(...errors)
    return errors.length > 0 ? [] : parsed.documents
  })
  const definitions = documents.filter(({ value }) => isDefinition(value))
  if (definitions.length === 0 && report.diagnostics.length === 0) {
    const message = 'there is no ResourceGraphDefinition'
    const hint = 'name a file with one, or a folder'
    const file = sources[0]?.path ?? '.'
    report.diagnostics.push(diagnosticOf(file, { code: 'RB1702', message, hint }))
  }
  const kinds = withCrds(
    documents.map(({ value }) => value),
    known,
  )
  const migrated = definitions.map((document) => migrateDefinition(document, { report, known: kinds }))
  const { findings, diagnostics } = report
  if (diagnostics.length > 0) return { files: new Map(), findings, diagnostics }
  return { files: filesOf(migrated, documents), findings, diagnostics }
}

const KIND = 'ResourceGraphDefinition'

function isDefinition(value: JsonValue): value is JsonObject {
  return isJsonObject(value) && value.kind === KIND && String(value.apiVersion).startsWith('kro.run/')
}

function filesOf(
  migrated: readonly MigratedDefinition[],
  documents: readonly ParsedYaml[],
): ReadonlyMap<string, string> {
  const files = new Map([['watches.yaml', printYaml([migrated.map(({ entry }) => entry)])]])
  for (const { role, crd, gvk, text, sample } of migrated) {
    files.set(`roles/${role}/crd.yaml`, printYaml([crd]))
    files.set(`roles/${role}/role.yaml`, text)
    const instances = documents.map(({ value }) => value).filter((value) => isOf(value, gvk) && isWhole(value))
    for (const [index, one] of (instances.length > 0 ? instances : [sample]).entries()) {
      files.set(`roles/${role}/samples/${role}${index === 0 ? '' : `-${index + 1}`}.yaml`, printYaml([one]))
    }
  }
  return files
}

/** Examples often leave a name to the shell: `$NAME`. */
function isWhole(value: JsonValue): boolean {
  return !/\$\{?[A-Z_]+|<[a-z_-]+>/i.test(JSON.stringify(value))
}

function isOf(value: JsonValue, gvk: Gvk): boolean {
  return isJsonObject(value) && value.kind === gvk.kind && value.apiVersion === apiVersionOf(gvk)
}
