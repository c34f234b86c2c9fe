import { readFileSync } from 'node:fs'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import { isAlreadyExists } from '../../../../src/core/kube/api-error.ts'
import { formatGvk, type Gvk, gvkOf } from '../../../../src/core/kube/group-version-kind.ts'
import { type KubeObject, keyOf } from '../../../../src/core/kube/object.ts'
import { BuiltinSchemas } from '../../../../src/core/schema/builtin-schemas.ts'
import { ApiServer } from '../../../../src/sandbox/apiserver/api-server.ts'
import { BUILTIN_KINDS } from '../../../../src/sandbox/apiserver/kinds/builtin-kinds.ts'
import type { ObjectApi } from '../../../../src/sandbox/apiserver/object-api.ts'
import {
  builtinWorkloads,
  type WorkloadOptions,
} from '../../../../src/sandbox/apiserver/workloads/builtin-workloads.ts'
import type { Stages } from '../../../../src/sandbox/apiserver/workloads/stages.ts'

const DATA = new URL('../../../../src/core/schema/builtin-schemas.generated.bin', import.meta.url)
let schemas: BuiltinSchemas | undefined

/** The server in process, without its own controllers of workloads, with ours on a clock that stands still. */
export class WorkloadServer {
  readonly clock = new FakeClock()
  readonly api: ObjectApi
  /** Every write since the last call of `takeWrites`. */
  #writes: string[] = []
  readonly #stages: Partial<Stages>
  readonly #options: WorkloadOptions
  #stops: readonly (() => void)[] = []

  constructor(stages: Partial<Stages> = {}, options: WorkloadOptions = {}) {
    schemas ??= BuiltinSchemas.decode(readFileSync(DATA))
    this.api = new ApiServer({ schemas, clock: this.clock, workloads: false }).objects
    this.api.subscribe(undefined, ({ type, object }) => {
      this.#writes.push(`${type} ${object.kind} ${object.metadata.name}`)
    })
    this.#stages = stages
    this.#options = options
    this.restart()
  }

  /** Ends the controllers, if they run, and starts new ones. */
  restart(): void {
    this.stop()
    const controllers = builtinWorkloads(this.#stages, this.#options)
    this.#stops = controllers.map((controller) => controller.start(this.api, this.clock))
  }

  stop(): void {
    for (const stop of this.#stops) stop()
  }

  takeWrites(): readonly string[] {
    const writes = this.#writes
    this.#writes = []
    return writes
  }

  /** Creates an object in the namespace `default`, or replaces the spec of the one that is there. */
  put(object: KubeObject): KubeObject {
    const placed = { ...object, metadata: { namespace: 'default', ...object.metadata } }
    try {
      return this.api.create(placed, 'kubectl-create')
    } catch (error) {
      const live = this.api.get(gvkOf(object), keyOf(placed))
      if (!live || !isAlreadyExists(error)) throw error
      return this.api.update({ ...live, spec: object.spec }, 'kubectl-replace')
    }
  }

  /** Objects of a kind in the namespace `default`, each with its row of `kubectl get -o wide` as `cells`. */
  listWithRows(gvk: Gvk): readonly KubeObject[] {
    const { columns = [] } = BUILTIN_KINDS.find((rules) => formatGvk(rules.gvk) === formatGvk(gvk)) ?? {}
    return this.api.list(gvk, { namespace: 'default' }).map((object) => ({
      ...object,
      cells: columns.map(({ cell }) => cell(object, this.clock.now())),
    }))
  }

  /** Lets so much time pass that everything comes to rest. */
  async rest(milliseconds = 30_000): Promise<void> {
    await this.clock.advance(milliseconds)
  }
}
