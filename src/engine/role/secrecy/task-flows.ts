import { formatGroupKind, type GroupKind, isSecret } from '../../../core/kube/group-version-kind.ts'
import { type Flow, FROM_CLUSTER, SECRET_MARK, unionOf, worstOf } from '../../expression/flow/flow.ts'
import type { Permission } from '../task-kind.ts'

const HIDDEN: Flow = { rest: SECRET_MARK }

/** What flows into a Secret: its data is hidden, its name and labels are not. */
export const SECRET: Flow = { ...FROM_CLUSTER, fields: fieldsOf(['data', 'stringData'], HIDDEN) }

/** Of an object that a task calls sensitive, everything but what it is called. */
const SENSITIVE: Flow = { ...HIDDEN, fields: fieldsOf(['apiVersion', 'kind', 'metadata'], FROM_CLUSTER) }

function fieldsOf(names: readonly string[], flow: Flow): ReadonlyMap<string, Flow> {
  return new Map(names.map((name) => [name, flow]))
}

/** What flows into the names that only some tasks see, and into the objects of a role. */
export class TaskFlows {
  readonly #locals: ReadonlyMap<string, Flow>
  /** By kind: what one task puts into an object, another may read from it. */
  readonly #objects: Map<string, Flow>

  constructor(locals: ReadonlyMap<string, Flow> = new Map(), objects = new Map<string, Flow>()) {
    this.#locals = locals
    this.#objects = objects
  }

  ofLocal(name: string): Flow | undefined {
    return this.#locals.get(name)
  }

  with(flows: readonly (readonly [string, Flow])[]): TaskFlows {
    return new TaskFlows(new Map([...this.#locals, ...flows]), this.#objects)
  }

  withoutLocals(): TaskFlows {
    return new TaskFlows(new Map(), this.#objects)
  }

  /** What flows into what a task registers: its object, whose fields its body may give. */
  ofResult(
    permissions: readonly Permission[],
    given: Flow,
    { sensitive, objectsIn }: { readonly sensitive: boolean; readonly objectsIn?: string | undefined },
  ): Flow {
    // What becomes of values in a chart is unknown: any of them may be anywhere.
    const body = objectsIn === undefined ? given : { rest: worstOf(given) }
    const objects = permissions.map(({ gvk, access }) => {
      const isWritten = access === 'own' || access === 'patch'
      if (isWritten && worstOf(body).origin === 'secret')
        this.#objects.set(formatGroupKind(gvk), unionOf(this.#of(gvk), body))
      return isWritten ? unionOf(this.#of(gvk), body) : this.#of(gvk)
    })
    const flow = unionOf(FROM_CLUSTER, ...objects, ...(sensitive ? [SENSITIVE] : []))
    return objectsIn === undefined ? flow : { rest: FROM_CLUSTER.rest, fields: new Map([[objectsIn, flow]]) }
  }

  #of(kind: GroupKind): Flow {
    return this.#objects.get(formatGroupKind(kind)) ?? (isSecret(kind) ? SECRET : FROM_CLUSTER)
  }
}
