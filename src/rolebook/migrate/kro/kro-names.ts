import type { Schema } from '../../../core/schema/schema.ts'
import { variableNameProblem } from '../../../engine/role/compile/variable-names.ts'
import type { CelScope } from '../cel/cel-scope.ts'
import { RESOURCE } from '../cel/paths.ts'
import { listOf, type Translation, translation } from '../cel/translation.ts'
import type { KnownKinds } from '../known-kinds.ts'
import { Undecided } from '../undecided.ts'
import { isCollection, type KroResource } from './kro-resource.ts'

/** What the names in the expressions of a ResourceGraphDefinition stand for. */
export class KroNames {
  readonly #known: KnownKinds
  readonly #instance: Translation
  readonly #resources = new Map<string, { readonly resource: KroResource; readonly variable: string }>()
  readonly #lost = new Set<string>()
  readonly #taken = new Set<string>()
  /** Paths in the spec that some expression cannot do without. */
  readonly neededSpec = new Set<string>()
  /** Ids that some expression has read, since it was last emptied. */
  readonly used = new Set<string>()

  /** @param spec the schema of the spec of the kind */
  constructor(resources: readonly KroResource[], spec: Schema, known: KnownKinds) {
    this.#known = known
    const schema: Schema = { type: 'object', required: ['spec'], properties: { spec, metadata: METADATA } }
    this.#instance = translation(RESOURCE, { schema })
    for (const resource of resources) {
      this.#resources.set(resource.id, { resource, variable: this.freeName(resource.id) })
    }
  }

  /** The variable of a resource, without `$`. */
  variableOf(id: string): string {
    return this.#resources.get(id)?.variable ?? id
  }

  /** A resource that has no translation: what reads it has none, either. */
  lose(id: string): void {
    this.#lost.add(id)
  }

  freeName(name: string): string {
    const base = variableNameProblem(name) === undefined ? name : `${name.replace(/\W/g, '_')}Value`
    let free = base
    for (let count = 2; this.#taken.has(free); count += 1) free = `${base}${count}`
    this.#taken.add(free)
    return free
  }

  /** @param further names that only this place has */
  scope(further: ReadonlyMap<string, Translation> = new Map()): CelScope {
    return {
      find: (name) => further.get(name) ?? this.#find(name),
      freeName: (name) => (variableNameProblem(name) === undefined ? name : `${name}Value`),
      needSpec: (path) => void this.neededSpec.add(path.join('.')),
      inStep: false,
      conditional: false,
      repeated: false,
    }
  }

  /** The live object of a resource, or of one of a collection, under another name. */
  liveObject({ gvk, object }: KroResource, text: string): Translation {
    return translation(text, { schema: this.#known.schema(gvk), made: object })
  }

  #find(name: string): Translation | undefined {
    if (name === 'schema') return this.#instance
    const found = this.#resources.get(name)
    if (!found) return undefined
    if (this.#lost.has(name)) throw new Undecided('RB1705', `\`${name}\` was not moved over`)
    this.used.add(name)
    const { resource, variable } = found
    const text = `$${variable}`
    if (isCollection(resource)) return translation(text, { schema: listOf(this.#known.schema(resource.gvk)) })
    if (resource.use === 'ensure') return this.liveObject(resource, text)
    return translation(text, { schema: this.#known.schema(resource.gvk) })
  }
}

const TEXTS: Schema = { type: 'object', additionalProperties: { type: 'string' } }
const METADATA: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    namespace: { type: 'string' },
    uid: { type: 'string' },
    generation: { type: 'integer' },
    creationTimestamp: { type: 'string' },
    labels: TEXTS,
    annotations: TEXTS,
  },
}
