import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the OpenAPI documents of the server do not say about the fields of its Go structs. */
export interface GoFields {
  /** Optional and no pointer: a zero value counts as absent. */
  readonly valueFields: readonly string[]
  /** Never left out, if only as this: what is no pointer and prints itself (Time, Quantity), lists without `omitempty`. */
  readonly zeroFields: { readonly [field: string]: null | number | string }
}

interface GoField {
  readonly name: string
  readonly type: string
  readonly options: readonly string[]
}

const FOLDERS: readonly (readonly [definitionPrefix: string, module: string, folder: (rest: string) => string])[] = [
  ['io.k8s.api.', 'api', (rest) => rest],
  ['io.k8s.apimachinery.', 'apimachinery', (rest) => rest],
  ['io.k8s.apiextensions-apiserver.', 'apiextensions-apiserver', (rest) => rest],
]

const ZEROS: { readonly [type: string]: null | number | string } = {
  Time: null,
  'metav1.Time': null,
  MicroTime: null,
  'metav1.MicroTime': null,
  'intstr.IntOrString': 0,
  'resource.Quantity': '0',
}

const SCALAR = /^(string|bool|u?int(8|16|32|64)?|float(32|64))$/

/** Reads the struct of a definition (`io.k8s.api.apps.v1.DeploymentSpec`) from the sources in a module cache. */
export class GoSources {
  readonly #root: string
  readonly #version: string
  readonly #packages = new Map<string, string>()

  constructor(moduleCache: string, version: string) {
    this.#root = join(moduleCache, 'k8s.io')
    this.#version = version
  }

  fieldsOf(definition: string): GoFields | undefined {
    const found = FOLDERS.find(([prefix]) => definition.startsWith(prefix))
    if (found === undefined) return undefined
    const [prefix, module, folder] = found
    const parts = definition.slice(prefix.length).split('.')
    const type = parts.pop() ?? ''
    const source = this.#source(join(`${module}@${this.#version}`, folder(parts.join('/'))))
    const fields = structFields(source, type)
    if (fields === undefined) return undefined
    const valueFields = fields.filter((field) => isValueField(field, source)).map(({ name }) => name)
    const zeros = fields.filter(isAlwaysWritten)
    return {
      valueFields,
      zeroFields: Object.fromEntries(zeros.map(({ name, type: goType }) => [name, ZEROS[goType] ?? null])),
    }
  }

  #source(folder: string): string {
    const known = this.#packages.get(folder)
    if (known !== undefined) return known
    const files = ['types.go', 'types_jsonschema.go', 'micro_time.go']
    const paths = files.map((file) => join(this.#root, folder, file)).filter((path) => existsSync(path))
    const text = paths.map((path) => readFileSync(path, 'utf8')).join('\n')
    this.#packages.set(folder, text)
    return text
  }
}

function structFields(source: string, type: string): GoField[] | undefined {
  const body = new RegExp(`^type ${type} struct \\{\\n([\\s\\S]*?)^\\}`, 'm').exec(source)?.[1]
  if (body === undefined) return undefined
  const fields: GoField[] = []
  for (const line of body.split('\n')) {
    const match = /^\s+(?:(\w+)\s+)?([\w.*[\]]+)\s+`json:"([^"]*)"/.exec(line)
    if (match === null) continue
    const [name = '', ...options] = (match[3] ?? '').split(',')
    const goType = match[2] ?? ''
    if (options.includes('inline')) fields.push(...(structFields(source, goType.replace(/^.*\./, '')) ?? []))
    else fields.push({ name, type: goType, options })
  }
  return fields
}

function isAlwaysWritten({ type, options }: GoField): boolean {
  if (type in ZEROS) return !options.includes('omitzero')
  return /^(\[\]|map\[)/.test(type) && !options.includes('omitempty')
}

function isValueField({ type, options }: GoField, source: string): boolean {
  if (!options.includes('omitempty') || type.startsWith('*')) return false
  return SCALAR.test(underlying(type, source))
}

/** `string` of `type RestartPolicy string`; foreign named types of optional fields are all texts (`types.UID`, `v1.X`). */
function underlying(type: string, source: string): string {
  if (SCALAR.test(type) || type.startsWith('[') || type.startsWith('map[')) return type
  if (type.includes('.')) return FOREIGN_TEXTS.has(type) ? 'string' : type
  return new RegExp(`^type ${type} (\\w+)\\s*$`, 'm').exec(source)?.[1] ?? type
}

const FOREIGN_TEXTS = new Set([
  'types.UID',
  'types.NodeName',
  'metav1.ConditionStatus',
  'v1.ConditionStatus',
  'v1.URIScheme',
  'v1.Protocol',
  'v1.ResourceName',
  'v1.PersistentVolumeMode',
  'v1.ManagedResourceScope',
])
