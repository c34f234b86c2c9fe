import { isJsonObject, type JsonObject, type JsonPath } from '../../core/base/json.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import { type Diagnostic, diagnosticAt, type Problem } from '../../core/yaml/diagnostic.ts'
import { parseYaml } from '../../core/yaml/parse-yaml.ts'
import type { ParsedYaml } from '../../core/yaml/parsed-yaml.ts'
import type { SourceFile } from '../../core/yaml/source-file.ts'

export interface Manifest {
  readonly document: ParsedYaml
  readonly object: KubeObject & JsonObject
}

/** CRDs of large operators are large. */
const MAX_BYTES = 3 * 1024 * 1024

/** A file of any number of objects of the API, as `kubectl apply -f` reads them. */
export function parseManifests(source: SourceFile): {
  readonly manifests: readonly Manifest[]
  readonly diagnostics: readonly Diagnostic[]
} {
  const { documents, diagnostics } = parseYaml(source, { maxBytes: MAX_BYTES })
  const problems = documents.flatMap((document) => checkObject(document))
  if (problems.length > 0) return { manifests: [], diagnostics: [...diagnostics, ...problems] }
  const manifests = documents.map((document) => ({ document, object: document.value as KubeObject & JsonObject }))
  return { manifests, diagnostics }
}

function checkObject(document: ParsedYaml): readonly Diagnostic[] {
  const { value } = document
  if (!isJsonObject(value)) return [at(document, [], 'an object of the API is needed here')]
  const found: Diagnostic[] = []
  for (const key of ['apiVersion', 'kind']) {
    const field = value[key]
    if (typeof field !== 'string' || field === '')
      found.push(at(document, [key], `an object needs \`${key}\`, as text`))
  }
  const { metadata } = value
  const name = isJsonObject(metadata) ? (metadata.name ?? metadata.generateName) : undefined
  if (typeof name !== 'string' || name === '')
    found.push(at(document, ['metadata', 'name'], 'an object needs `metadata.name`, as text'))
  return found
}

function at(document: ParsedYaml, path: JsonPath, message: string): Diagnostic {
  const problem: Problem = { code: 'RB1314', message }
  return diagnosticAt(document.locate(path), problem)
}
