import { getPath, type JsonObject, type JsonValue, jsonEquals } from '../../../../src/core/base/json.ts'
import type { Gvk } from '../../../../src/core/kube/group-version-kind.ts'
import type { KubeObject, ObjectKey } from '../../../../src/core/kube/object.ts'
import { causeOf } from '../../../../src/core/schema/field-error.ts'
import {
  DEFAULT_SETTINGS,
  type KindContext,
  type KindRules,
} from '../../../../src/sandbox/apiserver/kinds/kind-rules.ts'
import { type ServedResource, storedForm } from '../../../../src/sandbox/apiserver/served-resource.ts'
import { validateMeta } from '../../../../src/sandbox/apiserver/write/validate-meta.ts'
import type { Expected, FixtureCase } from './fixture.ts'
import { maskCells, maskObject, mergeInto, withoutControllerStatus } from './fixture.ts'

const NAMESPACE = 'kinds'

/** The write pipeline around the rules of one kind and nothing else: no store, no metadata rules, no managedFields. */
export class KindPipeline {
  readonly #rules: KindRules
  readonly #namespaced: boolean
  readonly #context: KindContext

  constructor(rules: KindRules, options: { namespaced: boolean; given?: readonly KubeObject[] }) {
    const { namespaced, given = [] } = options
    this.#rules = rules
    this.#namespaced = namespaced
    const of = ({ kind }: Gvk): readonly KubeObject[] => given.filter((object) => object.kind === kind)
    const objects = {
      list: (gvk: Gvk) => of(gvk),
      get: (gvk: Gvk, { name }: ObjectKey) => of(gvk).find(({ metadata }) => metadata.name === name),
    }
    const stored = (object: KubeObject): KubeObject => storedForm({ rules }, object)
    this.#context = { objects, now: Date.UTC(2027, 0, 1), settings: DEFAULT_SETTINGS, dryRun: false, stored }
  }

  /** What the server would answer to the request of a fixture. */
  answer(fixtureCase: FixtureCase): Expected {
    const { create, update = {}, subresource = '' } = fixtureCase
    if (create) return this.#guard(() => this.create(create), { cells: (object) => this.cells(object) })
    const live = this.#live(fixtureCase)
    const changed = mergeInto(live, update) as KubeObject
    const cells = subresource === 'status' ? (object: KubeObject) => this.cells(object) : undefined
    const answer = this.#guard(() => this.update(live, changed, subresource), { cells, old: live })
    if (!('object' in answer) || subresource !== '') return answer
    return { ...answer, object: withoutControllerStatus(answer.object) }
  }

  /** What lies in the store when the request comes. */
  #live({ given, before = {} }: FixtureCase): KubeObject {
    const created = accepted(this.create(given as KubeObject))
    const live = before.isDeleted ? deleted(created, given as KubeObject) : created
    return before.status ? accepted(this.update(live, mergeInto(live, before.status) as KubeObject, 'status')) : live
  }

  create(input: KubeObject): KubeObject | readonly JsonObject[] {
    const rules = this.#rules
    const decoded = this.#decode({
      ...input,
      metadata: { ...input.metadata, uid: '00000000-0000-0000-0000-000000000000' },
    })
    const prepared = rules.prepareForCreate?.(decoded, this.#context) ?? decoded
    const generation = rules.generationFields ? 1 : undefined
    const object = { ...prepared, metadata: { ...prepared.metadata, generation } }
    const resource = { namespaced: this.#namespaced, rules } as ServedResource
    const first = rules.validateFirst?.(object, undefined, this.#context) ?? []
    if (first.length > 0) return first.map(causeOf)
    const errors = [
      ...(rules.validate?.(object, undefined, this.#context) ?? []),
      ...validateMeta(object.metadata, resource),
    ]
    return errors.length > 0 ? errors.map(causeOf) : this.#context.stored(object)
  }

  update(old: KubeObject, changed: KubeObject, subresource = ''): KubeObject | readonly JsonObject[] {
    const rules = this.#rules
    const decoded = this.#decode(changed)
    const status = subresource === 'status'
    const prepare = status ? rules.prepareForStatusUpdate : rules.prepareForUpdate
    const prepared = prepare?.(decoded, old, this.#context) ?? decoded
    const validate = status ? rules.validateStatusUpdate : rules.validate
    const first = (subresource === '' && rules.validateFirst?.(prepared, old, this.#context)) || []
    const change = subresource === '' ? (rules.validateChange?.(prepared, old, this.#context) ?? []) : []
    const errors = first.length > 0 ? first : [...(validate?.(prepared, old, this.#context) ?? []), ...change]
    if (errors.length > 0) return errors.map(causeOf)
    const stored = this.#context.stored(prepared)
    const isChanged = rules.generationFields?.some((path) => !jsonEquals(getPath(stored, path), getPath(old, path)))
    const generation = isChanged ? (old.metadata.generation ?? 0) + 1 : stored.metadata.generation
    return {
      ...stored,
      metadata: { ...stored.metadata, generation: status ? old.metadata.generation : generation },
    }
  }

  #decode(input: KubeObject): KubeObject {
    const metadata = this.#namespaced
      ? { ...input.metadata, namespace: input.metadata.namespace ?? NAMESPACE }
      : input.metadata
    const { decode, applyDefaults } = this.#rules
    const decoded = decode ? decode({ ...input, metadata }) : { ...input, metadata }
    return applyDefaults ? applyDefaults(decoded) : decoded
  }

  /** The row of `kubectl get -o wide`. */
  cells(object: KubeObject): JsonValue {
    const created = { ...object, metadata: { ...object.metadata, creationTimestamp: '2026-01-01T00:00:00Z' } }
    return (this.#rules.columns ?? []).map(({ cell }) => cell(created, this.#context.now))
  }

  #guard(
    run: () => KubeObject | readonly JsonObject[],
    { cells, old }: { cells?: ((object: KubeObject) => JsonValue) | undefined; old?: KubeObject } = {},
  ): Expected {
    try {
      const result = run()
      if (Array.isArray(result)) return { code: 422, reason: 'Invalid', message: '', causes: result }
      const object = JSON.parse(JSON.stringify(result)) as KubeObject
      const warnings = this.#rules.warnings?.(object, old) ?? []
      return {
        object: maskObject(object),
        ...(cells && { cells: maskCells(cells(object)) }),
        ...(warnings.length > 0 && { warnings }),
      }
    } catch (error) {
      const { httpStatus, reason, message } = error as { httpStatus?: number; reason?: string; message: string }
      if (httpStatus === undefined) throw error
      return { code: httpStatus, reason: reason ?? '', message, causes: [] }
    }
  }
}

function accepted(result: KubeObject | readonly JsonObject[]): KubeObject {
  if ('metadata' in result) return result
  throw new Error(`the given object is refused: ${JSON.stringify(result)}`)
}

function deleted(object: KubeObject, { metadata: { finalizers } }: KubeObject): KubeObject {
  const { generation } = object.metadata
  const later = generation === undefined ? undefined : generation + 1
  const metadata = { ...object.metadata, finalizers, generation: later, deletionTimestamp: '2027-01-01T00:00:00Z' }
  return { ...object, metadata }
}
