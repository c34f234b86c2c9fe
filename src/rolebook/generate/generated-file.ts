import type { JsonObject } from '../../core/base/json.ts'
import { printYaml } from '../../core/yaml/print-yaml.ts'

/** A file of an installation, by its path in the folder of all of them. */
export interface GeneratedFile {
  readonly path: string
  readonly text: string
  /** What it asks of a cluster. Absent: it is for a tool, such as kustomize or docker. */
  readonly objects?: readonly JsonObject[]
}

/** Objects as YAML behind a comment. */
export function objectsFile(path: string, objects: readonly JsonObject[], comment: string): GeneratedFile {
  return { path, objects, text: `${asComment(comment)}${printYaml(objects)}` }
}

/** A file in YAML that is not an object of a cluster. */
export function yamlFile(path: string, value: JsonObject, comment: string): GeneratedFile {
  return { path, text: `${asComment(comment)}${printYaml([value])}` }
}

function asComment(text: string): string {
  return text
    .split('\n')
    .map((line) => `# ${line}\n`)
    .join('')
}
