import type { JsonObject } from '../../core/base/json.ts'
import { didYouMean } from '../../core/base/nearest-name.ts'
import { mappingsOfCrd } from '../../core/kube/crd-kinds.ts'
import { apiVersionOf, type Gvk, gvkOf } from '../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import type { BuiltinSchemas } from '../../core/schema/builtin-schemas.ts'
import { crdSchemas } from '../../core/schema/crd-schemas.ts'
import type { Schema } from '../../core/schema/schema.ts'
import type { Problem } from '../../core/yaml/diagnostic.ts'

/** A kind as the server of a test serves it. */
export interface KnownKind {
  readonly gvk: Gvk
  readonly plural: string
  readonly namespaced: boolean
  readonly schema: Schema | undefined
}

/** The kinds that a test may name, by `kind` alone where that says enough. */
export class KindNames {
  readonly #schemas: BuiltinSchemas
  readonly #crds: readonly KubeObject[]
  readonly #kinds: readonly KnownKind[]

  constructor(schemas: BuiltinSchemas, crds: readonly KubeObject[]) {
    this.#schemas = schemas
    this.#crds = crds
    const builtin = schemas.resources().map(({ group, version, kind, plural, namespaced }): KnownKind => {
      const gvk = { group, version, kind }
      return {
        gvk,
        plural,
        namespaced,
        get schema() {
          return schemas.get(gvk)
        },
      }
    })
    const objectMeta = schemas.definition('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta') ?? {}
    this.#kinds = [...crds.flatMap((crd) => customKinds(crd, objectMeta)), ...builtin]
  }

  /** These and the kinds of more CRDs. */
  with(crds: readonly KubeObject[]): KindNames {
    return crds.length === 0 ? this : new KindNames(this.#schemas, [...crds, ...this.#crds])
  }

  /** Whether any group has a kind of this name. */
  has(kind: string): boolean {
    return this.#kinds.some(({ gvk }) => gvk.kind === kind)
  }

  of(gvk: Gvk): KnownKind | undefined {
    return this.#kinds.find((one) => isSame(one.gvk, gvk))
  }

  /** The kind that is meant. Of several of one name, the one among `nearby`, which the test or its role speak of. */
  find(kind: string, apiVersion: string | undefined, nearby: readonly Gvk[]): Gvk | Problem {
    const named = this.#kinds.map(({ gvk }) => gvk).filter((gvk) => gvk.kind === kind)
    if (apiVersion !== undefined) {
      const gvk = gvkOf({ apiVersion, kind })
      return named.find((one) => isSame(one, gvk)) ?? this.#unknown(kind, named, apiVersion)
    }
    const [first, second] = named
    if (first === undefined) return this.#unknown(kind, named)
    // `Event` stands in two groups, and means the older one to everybody, also where roles write the other.
    const close = kind === 'Event' ? undefined : nearby.find((one) => named.some((known) => isSame(known, one)))
    if (close !== undefined) return close
    if (second === undefined) return first
    return named.find(({ group }) => group === '') ?? ambiguous(kind, named)
  }

  #unknown(kind: string, named: readonly Gvk[], apiVersion?: string): Problem {
    const versions = named.map(apiVersionOf)
    const message = `the server of the test does not serve ${apiVersion === undefined ? kind : `${kind} of ${apiVersion}`}`
    const known = this.#kinds.map((one) => one.gvk.kind)
    const hint = versions.length > 0 ? `it is served as ${versions.join(' and ')}` : didYouMean(kind, known)
    return { code: 'RB1604', message, hint: hint ?? 'a CRD may stand among the `given` objects' }
  }
}

function ambiguous(kind: string, named: readonly Gvk[]): Problem {
  const message = `there is more than one kind ${kind}: say which by its apiVersion`
  return { code: 'RB1604', message, hint: `write \`apiVersion: ${named.map(apiVersionOf).join('` or `')}\`` }
}

function isSame(left: Gvk, right: Gvk): boolean {
  return left.kind === right.kind && left.group === right.group && left.version === right.version
}

function customKinds(crd: KubeObject, objectMeta: Schema): readonly KnownKind[] {
  const schemas = crdSchemas({ spec: crd.spec as JsonObject }, objectMeta)
  return mappingsOfCrd(crd).map(({ gvk, plural, namespaced }) => {
    return { gvk, plural, namespaced, schema: schemas.get(gvk.version) }
  })
}
