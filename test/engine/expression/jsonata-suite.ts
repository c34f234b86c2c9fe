import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject, JsonValue } from '../../../src/core/base/json.ts'

/** One case of the library's own suite. */
export interface SuiteCase {
  /** `group/file` and, where a file holds several, `#index`. */
  readonly name: string
  readonly source: string
  readonly input: JsonValue | undefined
  readonly bindings: JsonObject
  readonly unordered: boolean
  readonly expected: { readonly value: JsonValue | undefined } | { readonly code: string }
}

interface RawCase {
  readonly expr?: string
  readonly 'expr-file'?: string
  readonly data?: JsonValue
  readonly dataset?: string | null
  readonly bindings?: JsonObject
  readonly result?: JsonValue
  readonly code?: string
  readonly error?: { readonly code: string }
  readonly unordered?: boolean
}

const folder = join(import.meta.dirname, 'jsonata-suite')

/** All cases. */
export function loadSuite(): readonly SuiteCase[] {
  const datasets = new Map<string, JsonValue>()
  return readdirSync(`${folder}/groups`).flatMap((group) => loadGroup(group, datasets))
}

function loadGroup(group: string, datasets: Map<string, JsonValue>): readonly SuiteCase[] {
  const files = readdirSync(`${folder}/groups/${group}`).filter((file) => file.endsWith('.json'))
  return files.flatMap((file) => {
    const content = readJson(`groups/${group}/${file}`) as unknown as RawCase | readonly RawCase[]
    const name = `${group}/${file.slice(0, -'.json'.length)}`
    if (!Array.isArray(content)) return [toCase(name, group, content as RawCase, datasets)]
    return content.map((raw: RawCase, index) => toCase(`${name}#${index}`, group, raw, datasets))
  })
}

function toCase(name: string, group: string, raw: RawCase, datasets: Map<string, JsonValue>): SuiteCase {
  const code = raw.code ?? raw.error?.code
  return {
    name,
    source: raw.expr ?? readText(`groups/${group}/${raw['expr-file']}`),
    input: raw.dataset ? dataset(raw.dataset, datasets) : raw.data,
    bindings: raw.bindings ?? {},
    unordered: raw.unordered ?? false,
    expected: code === undefined ? { value: raw.result } : { code },
  }
}

function dataset(name: string, datasets: Map<string, JsonValue>): JsonValue {
  if (!datasets.has(name)) datasets.set(name, readJson(`datasets/${name}.json`))
  return datasets.get(name) as JsonValue
}

function readJson(path: string): JsonValue {
  return JSON.parse(readText(path))
}

function readText(path: string): string {
  return readFileSync(`${folder}/${path}`, 'utf8')
}
