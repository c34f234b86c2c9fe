import { brotliDecompressSync } from 'node:zlib'
import type { JsonObject } from '../base/json.ts'
import { apiVersionOf, type Gvk } from '../kube/group-version-kind.ts'
import { Definitions, type GoFields } from './definitions.ts'
import type { Schema } from './schema.ts'

/** How the real server serves a built-in resource. */
export interface BuiltinResource {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly singular: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly namespaced: boolean
  readonly verbs: readonly string[]
  readonly subresources: readonly BuiltinSubresource[]
}

export interface BuiltinSubresource {
  readonly name: string
  /** The kind of its bodies: `autoscaling/v1 Scale` for `scale`. */
  readonly gvk: Gvk
  readonly verbs: readonly string[]
}

interface Header {
  /** What `/version` answered. */
  readonly version: JsonObject
  /** By group version; `definitions` are numbers of the lines behind the header. */
  readonly documents: { readonly [groupVersion: string]: OpenApiDocument }
  /** APIGroupDiscovery items, in the order of the server. */
  readonly groups: readonly DiscoveredGroup[]
  readonly goFields: { readonly [definition: string]: GoFields }
}

interface OpenApiDocument {
  readonly openapi: string
  readonly info: JsonObject
  readonly components: JsonObject
  readonly definitions: { readonly [name: string]: number }
}

interface DiscoveredGroup {
  readonly name: string
  readonly versions: readonly {
    readonly version: string
    readonly resources: readonly DiscoveredResource[]
  }[]
}

interface DiscoveredResource {
  readonly resource: string
  readonly responseKind: Gvk
  readonly scope: 'Namespaced' | 'Cluster'
  readonly singularResource: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly verbs: readonly string[]
  readonly subresources?: readonly {
    readonly subresource: string
    /** Group and version are empty where they are those of the resource. */
    readonly responseKind: Gvk
    readonly verbs: readonly string[]
  }[]
}

/** The kinds that every Kubernetes API server has, as the real one describes them. */
export class BuiltinSchemas {
  readonly #header: Header
  readonly #packedLines: Uint8Array
  #inflated: WeakRef<readonly string[]>
  readonly #packedPaths: Uint8Array
  readonly #definitions: Definitions
  readonly #parsed = new Map<number, JsonObject>()
  #paths: readonly string[] | undefined
  #kinds: ReadonlyMap<string, string> | undefined
  #resources: readonly BuiltinResource[] | undefined

  /** Reads `builtin-schemas.generated.bin`. Definitions are parsed when they are first asked for. */
  static decode(bytes: Uint8Array): BuiltinSchemas {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const end = 4 + view.getUint32(0)
    return new BuiltinSchemas(bytes.subarray(4, end), bytes.subarray(end))
  }

  private constructor(packedLines: Uint8Array, packedPaths: Uint8Array) {
    const lines = inflateLines(packedLines)
    this.#header = JSON.parse(lines[0] ?? '')
    this.#packedLines = packedLines
    this.#inflated = new WeakRef(lines)
    this.#packedPaths = packedPaths
    const names = new Map(
      Object.values(this.#header.documents).flatMap(({ definitions }) => Object.entries(definitions)),
    )
    this.#definitions = new Definitions({
      definition: (name) => this.#parse(names.get(name)),
      goFields: (name) => this.#header.goFields[name],
    })
  }

  /** The schema of a kind, or `undefined` when it is not a built-in one. */
  get(gvk: Gvk): Schema | undefined {
    this.#kinds ??= this.#indexKinds()
    const name = this.#kinds.get(kindKey(gvk))
    return name === undefined ? undefined : this.#definitions.get(name)
  }

  /** The schema of an OpenAPI definition: `io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta`. */
  definition(name: string): Schema | undefined {
    return this.#definitions.get(name)
  }

  /** Every resource, in the order in which the real server lists them. */
  resources(): readonly BuiltinResource[] {
    this.#resources ??= this.#header.groups.flatMap((group) =>
      group.versions.flatMap(({ version, resources }) =>
        resources.map((resource) => toResource({ group: group.name, version }, resource)),
      ),
    )
    return this.#resources
  }

  /** What the real server answered to `/version`. */
  version(): JsonObject {
    return this.#header.version
  }

  groupVersions(): readonly string[] {
    return Object.keys(this.#header.documents)
  }

  /** The document of `/openapi/v3/apis/<groupVersion>`, or of `/openapi/v3/api/v1` for `v1`. A new object each time. */
  openApiV3(groupVersion: string): JsonObject | undefined {
    const document = this.#header.documents[groupVersion]
    if (document === undefined) return undefined
    this.#paths ??= inflateLines(this.#packedPaths)
    const paths: JsonObject = JSON.parse(this.#paths[this.groupVersions().indexOf(groupVersion)] as string)
    const schemas = Object.fromEntries(
      Object.entries(document.definitions).map(([name, line]) => [name, this.#parse(line)]),
    )
    const { openapi, info, components } = document
    return { openapi, info, paths, components: { schemas, ...components } }
  }

  #parse(line: number | undefined): JsonObject | undefined {
    if (line === undefined) return undefined
    const known = this.#parsed.get(line)
    if (known !== undefined) return known
    const definition: JsonObject = JSON.parse(this.#lines()[line + 1] as string)
    this.#parsed.set(line, definition)
    return definition
  }

  /** Two megabytes of text that are needed now and then, so they may be collected in between. The first line is the header. */
  #lines(): readonly string[] {
    const known = this.#inflated.deref()
    if (known) return known
    const lines = inflateLines(this.#packedLines)
    this.#inflated = new WeakRef(lines)
    return lines
  }

  /** Which definition has which kind. The marks are read from the text, so that no definition is parsed for nothing. */
  #indexKinds(): ReadonlyMap<string, string> {
    const kinds = new Map<string, string>()
    const lines = this.#lines()
    for (const { definitions } of Object.values(this.#header.documents)) {
      for (const [name, line] of Object.entries(definitions)) {
        for (const mark of kindsIn(lines[line + 1] ?? '')) kinds.set(kindKey(mark), name)
      }
    }
    return kinds
  }
}

const KINDS = '"x-kubernetes-group-version-kind":'

/** The kinds that a definition names in its text. */
function kindsIn(definition: string): readonly Gvk[] {
  const start = definition.indexOf(`${KINDS}[{`)
  if (start < 0) return []
  return JSON.parse(definition.slice(start + KINDS.length, definition.indexOf(']', start) + 1))
}

function inflateLines(bytes: Uint8Array): readonly string[] {
  return brotliDecompressSync(bytes).toString().split('\n')
}

function kindKey({ group, version, kind }: Gvk): string {
  return `${apiVersionOf({ group, version })} ${kind}`
}

function toResource(at: { group: string; version: string }, found: DiscoveredResource): BuiltinResource {
  return {
    ...at,
    kind: found.responseKind.kind,
    plural: found.resource,
    singular: found.singularResource,
    shortNames: found.shortNames ?? [],
    categories: found.categories ?? [],
    namespaced: found.scope === 'Namespaced',
    verbs: found.verbs,
    subresources: (found.subresources ?? []).map(({ subresource, responseKind, verbs }) => ({
      name: subresource,
      gvk: responseKind.version ? responseKind : { ...at, kind: responseKind.kind },
      verbs,
    })),
  }
}
