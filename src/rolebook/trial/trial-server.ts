import type { Clock } from '../../core/base/clock.ts'
import { ApiError } from '../../core/kube/api-error.ts'
import { conditionsOf, findCondition } from '../../core/kube/condition.ts'
import { mappingsOfCrd } from '../../core/kube/crd-kinds.ts'
import { apiVersionOf, formatGvk, type Gvk, gvkOf } from '../../core/kube/group-version-kind.ts'
import type { Capabilities } from '../../core/kube/helm-chart.ts'
import { type KubeObject, keyOf } from '../../core/kube/object.ts'
import type { ResourceMapping } from '../../core/kube/resource-mapper.ts'
import type { BuiltinSchemas } from '../../core/schema/builtin-schemas.ts'
import { ApiServer } from '../../sandbox/apiserver/api-server.ts'
import type { ObjectApi } from '../../sandbox/apiserver/object-api.ts'
import { blamedField } from './blamed-field.ts'

/** A field of an object, and what a server says about it. The field is empty when it is about the object as a whole. */
export interface Refusal {
  readonly field: string
  readonly message: string
}

/** What a server says to an object. */
export interface Verdict {
  /** With its defaults. Absent: the object is refused. */
  readonly object?: KubeObject | undefined
  readonly refusals: readonly Refusal[]
  readonly warnings: readonly string[]
}

const MANAGER = 'rolebook'

/** What a server calls the field of a cause that is about the object as a whole. */
const WHOLE_OBJECT = '<nil>'

/** An API server of this process that only judges: no object is kept but CRDs and namespaces. */
export class TrialServer {
  readonly #server: ApiServer
  readonly #objects: ObjectApi
  readonly #mappings = new Map<string, ResourceMapping>()
  readonly #builtin: ReadonlySet<string>
  /** By the text of the object. */
  readonly #verdicts = new Map<string, Verdict>()

  /** Resolves when the kinds of the CRDs are served. A CRD that a server refuses is left out: it is reported elsewhere. */
  static async start(schemas: BuiltinSchemas, clock: Clock, crds: readonly KubeObject[]): Promise<TrialServer> {
    const server = new TrialServer(schemas, clock)
    for (const crd of crds) await server.#install(crd)
    return server
  }

  private constructor(schemas: BuiltinSchemas, clock: Clock) {
    this.#server = new ApiServer({ schemas, clock, controllers: false, disabledAdmission: ['ServiceAccount'] })
    this.#objects = this.#server.objects
    for (const { group, version, kind, subresources, ...names } of schemas.resources()) {
      const gvk = { group, version, kind }
      this.#mappings.set(formatGvk(gvk), { gvk, ...names, subresources: subresources.map(({ name }) => name) })
    }
    this.#builtin = new Set(this.#mappings.keys())
  }

  /** How a kind is served. Absent: it is not. */
  mappingOf(gvk: Gvk): ResourceMapping | undefined {
    return this.#mappings.get(formatGvk(gvk))
  }

  /** What charts ask for: of the built-in kinds the versions that are there to stay, and those of all CRDs. */
  get capabilities(): Capabilities {
    const gvks = [...this.#mappings.values()].map(({ gvk }) => gvk)
    const served = gvks.filter((gvk) => /^v\d+$/.test(gvk.version) || !this.#builtin.has(formatGvk(gvk)))
    const names = served.flatMap((gvk) => [apiVersionOf(gvk), `${apiVersionOf(gvk)}/${gvk.kind}`])
    return { kubeVersion: 'v1.36.0', apiVersions: [...new Set(names)].sort() }
  }

  judge(object: KubeObject): Verdict {
    const text = JSON.stringify(object)
    const known = this.#verdicts.get(text)
    if (known) return known
    const verdict = this.#judge(object)
    this.#verdicts.set(text, verdict)
    return verdict
  }

  /** How many objects were judged: what is asked again is remembered. */
  get judged(): number {
    return this.#verdicts.size
  }

  stop(): Promise<void> {
    return this.#server.stop()
  }

  #judge(object: KubeObject): Verdict {
    this.#ensureNamespace(object.metadata.namespace)
    try {
      return { ...this.#objects.tryOut(object, MANAGER), refusals: [] }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { refusals: this.#refusalsOf(error, object), warnings: [] }
    }
  }

  #refusalsOf(error: ApiError, object: KubeObject): readonly Refusal[] {
    const placed = error.causes.flatMap(({ field, message = '' }) =>
      field === undefined ? [] : [{ field: field === WHOLE_OBJECT ? '' : field, message }],
    )
    if (placed.length > 0) return placed
    const says = (changed: KubeObject): string | undefined => {
      try {
        this.#objects.tryOut(changed, MANAGER)
        return undefined
      } catch (other) {
        return other instanceof Error ? other.message : ''
      }
    }
    return [{ field: blamedField(object, error.message, says), message: error.message }]
  }

  #ensureNamespace(name: string | undefined): void {
    if (name === undefined) return
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    if (this.#objects.get(gvkOf(namespace), keyOf(namespace))) return
    try {
      this.#objects.create(namespace, MANAGER)
    } catch (error) {
      // What has no valid namespace is refused itself.
      if (!(error instanceof ApiError)) throw error
    }
  }

  async #install(crd: KubeObject): Promise<void> {
    const established = new Promise<void>((resolve) => {
      const stop = this.#objects.subscribe(gvkOf(crd), ({ object }) => {
        if (object.metadata.name !== crd.metadata.name || !isEstablished(object)) return
        stop()
        resolve()
      })
    })
    try {
      const { status: _status, ...rest } = crd
      this.#objects.apply(rest as KubeObject, MANAGER)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return
    }
    await established
    for (const mapping of mappingsOfCrd(crd)) this.#mappings.set(formatGvk(mapping.gvk), mapping)
  }
}

function isEstablished(crd: KubeObject): boolean {
  return findCondition(conditionsOf(crd), 'Established')?.status === 'True'
}
