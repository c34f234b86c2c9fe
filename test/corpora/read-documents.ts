import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../src/core/base/json.ts'
import { parseYamlBody } from '../../src/core/yaml/parse-body.ts'
import { moduleFolder } from './go-module.ts'
import type { Source } from './sources.ts'

/** One manifest. */
export interface CorpusDocument {
  readonly corpus: string
  /** Its file, and its number in it. */
  readonly place: string
  /** As it was written; absent when it was an item of a list. */
  readonly text?: string
  readonly object: JsonObject
}

const ENDS = '{yaml,yml,json,yaml.in,json.in}'

/** All manifests of a source, in the order of their files. What is no manifest is left out. */
export function readDocuments({ name, module, paths }: Source): readonly CorpusDocument[] {
  const folder = moduleFolder(module)
  const files = paths.flatMap((path) => filesBelow(join(folder, path)))
  return [...new Set(files)]
    .sort()
    .flatMap((file) => documentsOf(name, relative(folder, file), readFileSync(file, 'utf8')))
}

function filesBelow(path: string): readonly string[] {
  if (!existsSync(path)) throw new Error(`${path} is not there: correct test/corpora/sources.ts`)
  return statSync(path).isDirectory() ? globSync(`${path}/**/*.${ENDS}`) : [path]
}

function documentsOf(corpus: string, file: string, text: string): readonly CorpusDocument[] {
  const parts = filled(text).split(/^---(?=\s).*$/m)
  return parts.flatMap((part, index) => {
    const place = parts.length === 1 ? file : `${file}#${index}`
    return itemsOf(readValue(part)).map((object, item, { length }) =>
      length === 1 ? { corpus, place, text: part, object } : { corpus, place: `${place}[${item}]`, object },
    )
  })
}

/** Kubernetes' own tests put the names of their images into some manifests. */
function filled(text: string): string {
  return text.replace(/\{\{\s*\.\w+\s*\}\}/g, 'registry.example/image:1')
}

function readValue(text: string): JsonValue {
  try {
    return text.trimStart().startsWith('{') ? JSON.parse(text) : parseYamlBody(text).value
  } catch {
    // Among manifests are templates, and files that are wrong on purpose.
    return null
  }
}

/** The manifests in a document: none, when it is none. */
export function itemsOf(value: JsonValue): readonly JsonObject[] {
  if (!isJsonObject(value) || typeof value.kind !== 'string' || typeof value.apiVersion !== 'string') return []
  if (value.kind.endsWith('List') && isJsonArray(value.items)) return value.items.flatMap(itemsOf)
  return isJsonObject(value.metadata) && value.kind !== 'Kustomization' ? [value] : []
}
