import { isJsonArray, isJsonObject, type JsonValue } from '../../core/base/json.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import { parseYaml, type YamlOptions } from '../../core/yaml/parse-yaml.ts'
import { printDiagnostics } from '../../core/yaml/print-diagnostics.ts'
import { SourceFile } from '../../core/yaml/source-file.ts'
import { UsageError } from './command.ts'
import { readTextFile } from './read-text-file.ts'

/** The objects of YAML or JSON files. @throws UsageError with every place that is wrong */
export function objectsInFiles(paths: readonly string[]): readonly KubeObject[] {
  return paths.flatMap((path) => readObjects(path, readTextFile(path)))
}

/** The objects in the text of a YAML file; a `List` stands for what is in it. @throws UsageError with every place that is wrong */
export function readObjects(path: string, text: string, options: YamlOptions = {}): readonly KubeObject[] {
  const { documents, diagnostics } = parseYaml(new SourceFile(path, text), options)
  if (diagnostics.some(({ severity }) => severity === 'error')) throw new UsageError(printDiagnostics(diagnostics))
  return documents.flatMap(({ value }) => itemsOf(value)).map((value) => toObject(path, value))
}

function itemsOf(value: JsonValue): readonly JsonValue[] {
  const isList = isJsonObject(value) && value.kind === 'List' && value.apiVersion === 'v1'
  return isList && isJsonArray(value.items) ? value.items : [value]
}

function toObject(path: string, value: JsonValue): KubeObject {
  const metadata = isJsonObject(value) ? value.metadata : undefined
  const named = isJsonObject(metadata) && typeof metadata.name === 'string'
  if (!isJsonObject(value) || typeof value.apiVersion !== 'string' || typeof value.kind !== 'string' || !named) {
    throw new UsageError(`${path}: not a Kubernetes object: it needs apiVersion, kind and metadata.name`)
  }
  return value as KubeObject
}
