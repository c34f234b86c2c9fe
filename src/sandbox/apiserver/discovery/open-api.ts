import { hashJson } from '../../../core/base/hash.ts'
import type { JsonObject } from '../../../core/base/json.ts'
import { apiVersionOf } from '../../../core/kube/group-version-kind.ts'
import type { BuiltinSchemas } from '../../../core/schema/builtin-schemas.ts'
import type { ResourceRegistry } from '../resource-registry.ts'
import type { ServedResource } from '../served-resource.ts'
import { customDocument, type DocumentVersion } from './custom-open-api.ts'
import { isModelPath } from './custom-paths.ts'
import { toSwagger } from './swagger.ts'

/** The OpenAPI documents, made when asked for and kept until the resources change. */
export class OpenApiDocuments {
  readonly #schemas: BuiltinSchemas
  readonly #registry: ResourceRegistry
  readonly #bodies = new Map<string, string>()
  #generation = -1
  #index: JsonObject = {}
  #swagger: JsonObject | undefined

  constructor(schemas: BuiltinSchemas, registry: ResourceRegistry) {
    this.#schemas = schemas
    this.#registry = registry
  }

  /** `/openapi/v3`: where the documents are; a hash in the address says when one changed. */
  index(): JsonObject {
    this.#refresh()
    return this.#index
  }

  /** `/openapi/v3/<path>`, as JSON text. */
  document(path: string): string | undefined {
    this.#refresh()
    const known = this.#bodies.get(path)
    if (known !== undefined) return known
    const document = this.#create(path, 'v3')
    if (!document) return undefined
    const body = JSON.stringify(document)
    this.#bodies.set(path, body)
    return body
  }

  /** `/openapi/v2`: all of it in one document. */
  v2(): JsonObject {
    this.#refresh()
    if (this.#swagger) return this.#swagger
    const documents = this.#paths().map((path) => this.#create(path, 'v2') ?? {})
    const { major, minor } = this.#schemas.version()
    this.#swagger = toSwagger(documents, { title: 'Kubernetes', version: `${major}.${minor}` })
    return this.#swagger
  }

  #create(path: string, version: DocumentVersion): JsonObject | undefined {
    const groupVersion = path.replace(/^(api|apis)\//, '')
    const custom = this.#customResources(groupVersion)
    if (custom.length > 0) return customDocument(coreOf(this.#schemas), custom, version)
    const isServed = this.#paths().includes(path)
    return isServed ? this.#schemas.openApiV3(groupVersion) : undefined
  }

  #refresh(): void {
    if (this.#generation === this.#registry.generation) return
    this.#generation = this.#registry.generation
    this.#bodies.clear()
    this.#swagger = undefined
    const entries = this.#paths().map((path) => {
      const custom = this.#customResources(path.replace(/^(api|apis)\//, ''))
      const hash = hashJson([path, this.#schemas.version(), ...custom.map(fingerprint)]).toUpperCase()
      return [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }]
    })
    this.#index = { paths: Object.fromEntries(entries) }
  }

  #paths(): readonly string[] {
    const versions = new Set([...this.#registry.all()].map(apiVersionOf))
    return [...versions].map((version) => `${version.includes('/') ? 'apis' : 'api'}/${version}`).sort()
  }

  #customResources(groupVersion: string): readonly ServedResource[] {
    return [...this.#registry.all()].filter((each) => each.custom && apiVersionOf(each) === groupVersion)
  }
}

/** What documents of custom resources take from that of `v1`, which takes long to parse: kept for all servers. */
function coreOf(schemas: BuiltinSchemas): JsonObject {
  const known = cores.get(schemas)
  if (known) return known
  const { paths, ...rest } = schemas.openApiV3('v1') as JsonObject
  const models = Object.entries(paths as JsonObject).filter(([path]) => isModelPath(path))
  const core = { ...rest, paths: Object.fromEntries(models) }
  cores.set(schemas, core)
  return core
}

const cores = new WeakMap<BuiltinSchemas, JsonObject>()

function fingerprint({ gvk, plural, subresources, schema }: ServedResource): JsonObject {
  const { metadata: _metadata, ...own } = { ...schema?.properties }
  return { gvk, plural, subresources: [...subresources.keys()], own: own as JsonObject }
}
