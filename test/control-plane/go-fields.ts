import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** What the OpenAPI documents of the server do not say about the fields of its Go structs. */
export interface GoFields {
  /** Optional and no pointer: a zero value counts as absent. */
  readonly valueFields: readonly string[]
  /** Never left out, if only as this: what is no pointer and prints itself (Time, Quantity), lists and optional scalars without `omitempty`. */
  readonly zeroFields: { readonly [field: string]: Zero }
  /** By fields that stand in an embedded struct, its name, or its path. */
  readonly embeddedFields: { readonly [field: string]: string }
  /** Of fields whose type is no struct and has a name, or is made of such: as Go prints it. */
  readonly types: { readonly [field: string]: string }
}

/** An empty value. */
type Zero = null | number | string | boolean

interface GoField {
  readonly name: string
  readonly type: string
  readonly options: readonly string[]
  /** The embedded struct in which it stands, or the path to it. */
  readonly embedded: string
  /** Where its struct is declared. */
  readonly home: GoPackage
}

/** The Go package of a type, read. */
interface GoPackage {
  readonly source: string
  /** The folders of what it imports, by the names it uses. */
  readonly imports: ReadonlyMap<string, string>
  /** `v1` */
  readonly name: string
}

const FOLDERS: readonly (readonly [definitionPrefix: string, module: string, folder: (rest: string) => string])[] = [
  ['io.k8s.api.', 'api', (rest) => rest],
  ['io.k8s.apimachinery.', 'apimachinery', (rest) => rest],
  ['io.k8s.apiextensions-apiserver.', 'apiextensions-apiserver', (rest) => rest],
  ['io.k8s.kube-aggregator.', 'kube-aggregator', (rest) => rest],
]

const ZEROS: { readonly [type: string]: Zero } = {
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
  readonly #packages = new Map<string, GoPackage>()

  constructor(moduleCache: string, version: string) {
    this.#root = join(moduleCache, 'k8s.io')
    this.#version = version
  }

  /** `required` lists the fields that the OpenAPI document requires. */
  fieldsOf(definition: string, required: readonly string[]): GoFields | undefined {
    const found = FOLDERS.find(([prefix]) => definition.startsWith(prefix))
    if (found === undefined) return undefined
    const [prefix, module, folder] = found
    const parts = definition.slice(prefix.length).split('.')
    const type = parts.pop() ?? ''
    const home = this.#package(join(module, folder(parts.join('/'))))
    const fields = this.#structFields(home, type)
    if (fields === undefined) return undefined
    const zeros = fields.flatMap((field): [string, Zero][] => {
      const zero = this.#zeroOf(field, required)
      return zero === undefined ? [] : [[field.name, zero]]
    })
    const embedded = fields.filter((field) => field.embedded !== '')
    const types = fields.flatMap((field): [string, string][] => {
      const printed = this.#print(field.type.replace(/^\*/, ''), field.home)
      return printed.isNamed ? [[field.name, printed.text]] : []
    })
    return {
      valueFields: fields.filter((field) => this.#isValueField(field)).map(({ name }) => name),
      zeroFields: Object.fromEntries(zeros),
      embeddedFields: Object.fromEntries(embedded.map((field) => [field.name, field.embedded])),
      types: Object.fromEntries(types),
    }
  }

  /** What a field is written as when nothing is in it; `undefined` when it is left out, or when the schema says it. */
  #zeroOf({ name, type, options, home }: GoField, required: readonly string[]): Zero | undefined {
    if (type in ZEROS) return options.includes('omitzero') ? undefined : ZEROS[type]
    if (options.includes('omitempty') || type.startsWith('*')) return undefined
    if (/^(\[\]|map\[)/.test(type)) return null
    const scalar = this.#underlying(type, home) ?? ''
    if (required.includes(name) || !SCALAR.test(scalar)) return undefined
    return scalar === 'string' ? '' : scalar === 'bool' ? false : 0
  }

  #isValueField({ type, options, home }: GoField): boolean {
    if (!options.includes('omitempty') || type.startsWith('*')) return false
    return SCALAR.test(this.#underlying(type, home) ?? type)
  }

  /** How Go prints a type, and whether there is a name in it that is no struct's. */
  #print(type: string, home: GoPackage): { readonly text: string; readonly isNamed: boolean } {
    const [, container = '', inner] = /^(\[\]|map\[[^\]]*\])\*?(.+)$/.exec(type) ?? []
    if (inner !== undefined) {
      const item = this.#print(inner, home)
      const [, key] = /^map\[(.*)\]$/.exec(container) ?? []
      const head = key === undefined ? container : `map[${this.#print(key, home).text}]`
      return { text: `${head}${item.text}`, isNamed: item.isNamed || (key !== undefined && key !== 'string') }
    }
    if (type === 'byte') return { text: 'uint8', isNamed: true }
    if (SCALAR.test(type)) return { text: type, isNamed: false }
    const { name, owner } = this.#locate(type, home)
    return { text: `${owner?.name ?? ''}.${name}`, isNamed: this.#underlying(type, home) !== undefined }
  }

  /** `string` of `type RestartPolicy string`, wherever it is declared; `undefined` of a struct. */
  #underlying(type: string, home: GoPackage): string | undefined {
    if (SCALAR.test(type) || type.startsWith('[') || type.startsWith('map[')) return type
    const { name, owner } = this.#locate(type, home)
    const declared = new RegExp(`^(?:type )?\\s*${name} ([\\w.\\[\\]]+)\\s*$`, 'm').exec(owner?.source ?? '')?.[1]
    return declared === undefined || declared === 'struct' ? undefined : declared
  }

  #locate(type: string, home: GoPackage): { readonly name: string; readonly owner: GoPackage | undefined } {
    const [alias = '', name] = type.split('.')
    if (name === undefined) return { name: alias, owner: home }
    const folder = home.imports.get(alias)
    return { name, owner: folder === undefined ? undefined : this.#package(folder) }
  }

  /** Reads a package; `folder` is that of its import path below `k8s.io`: `api/core/v1`. */
  #package(folder: string): GoPackage {
    const known = this.#packages.get(folder)
    if (known !== undefined) return known
    const [module = '', ...rest] = folder.split('/')
    const root = join(this.#root, `${module}@${this.#version}`, ...rest)
    const paths = existsSync(root)
      ? readdirSync(root).filter((file) => /^[a-z_]+\.go$/.test(file) && !/_test\.go$/.test(file))
      : []
    const texts = paths.filter((file) => !file.startsWith('zz_')).map((file) => readFileSync(join(root, file), 'utf8'))
    const source = texts.join('\n')
    const imports = [...source.matchAll(/^\s+(?:(\w+) )?"k8s\.io\/([^"]+)"$/gm)].map(
      ([, alias, path = '']): [string, string] => [alias ?? basename(path), path],
    )
    const found = { source, imports: new Map(imports), name: basename(folder) }
    this.#packages.set(folder, found)
    return found
  }

  /** The fields of a struct, those of the structs that are embedded in it included. */
  #structFields(home: GoPackage, type: string, path = ''): GoField[] | undefined {
    const body = new RegExp(`^type ${type} struct \\{\\n([\\s\\S]*?)^\\}`, 'm').exec(home.source)?.[1]
    if (body === undefined) return undefined
    const fields: GoField[] = []
    for (const line of body.split('\n')) {
      const match = /^\s+(?:(\w+)\s+)?([\w.*[\]]+)\s+`json:"([^"]*)"/.exec(line)
      if (match === null) continue
      const [name = '', ...options] = (match[3] ?? '').split(',')
      const goType = match[2] ?? ''
      if (!options.includes('inline')) {
        fields.push({ name, type: goType, options, embedded: path, home })
        continue
      }
      const { name: inner, owner } = this.#locate(goType.replace(/^\*/, ''), home)
      const place = path === '' ? inner : `${path}.${inner}`
      fields.push(...((owner && this.#structFields(owner, inner, place)) ?? []))
    }
    return fields
  }
}
