/** Where a value comes from: from what the role says and its input, from objects that were read, or from a secret. */
export type Origin = 'role' | 'read' | 'secret'

/** A name through which a value came, and where it was given. */
export interface TrailStep {
  readonly name: string
  readonly file: string
  readonly line: number
}

export interface Mark {
  readonly origin: Origin
  /** The names through which a secret came, first one first. */
  readonly trail: readonly TrailStep[]
}

/** What may flow into a value. A list flows as its items do. */
export interface Flow {
  /** Into the value itself, and into all of its fields that have no flow of their own. */
  readonly rest: Mark
  readonly fields?: ReadonlyMap<string, Flow> | undefined
  /** Into the names of its fields. Defaults to what the role says. */
  readonly names?: Mark | undefined
  /** Of a function: what flows out of a call. */
  readonly call?: ((args: readonly Flow[]) => Flow) | undefined
}

const ORIGINS: readonly Origin[] = ['role', 'read', 'secret']

export const ROLE_MARK: Mark = { origin: 'role', trail: [] }
export const SECRET_MARK: Mark = { origin: 'secret', trail: [] }
export const FROM_ROLE: Flow = { rest: ROLE_MARK }
export const FROM_CLUSTER: Flow = { rest: { origin: 'read', trail: [] } }

/** The more secret of the two. */
export function worse(left: Mark, right: Mark): Mark {
  return ORIGINS.indexOf(right.origin) > ORIGINS.indexOf(left.origin) ? right : left
}

/** The worst of all that flows into a value and its fields. */
export function worstOf(...flows: readonly Flow[]): Mark {
  return flows.map((flow) => extentOf(flow).worst).reduce(worse, ROLE_MARK)
}

/** How many fields a flow may distinguish, fields within fields included: the same one may stand in many places. */
const MOST_FIELDS = 1_000

/** The same flow; of one with too many fields the worst, for all of them. */
export function bounded(flow: Flow): Flow {
  const { worst, size } = extentOf(flow)
  return size > MOST_FIELDS ? { rest: worst, names: worst, call: flow.call } : flow
}

interface Extent {
  readonly worst: Mark
  readonly size: number
}

/** A flow never changes, and one that stands in many others is looked at once. */
const extents = new WeakMap<Flow, Extent>()

function extentOf(flow: Flow): Extent {
  const known = extents.get(flow)
  if (known) return known
  const { rest, fields, names = ROLE_MARK } = flow
  const inner = [...(fields?.values() ?? [])].map(extentOf)
  const worst = [names, ...inner.map((one) => one.worst)].reduce(worse, rest)
  const extent = { worst, size: inner.reduce((sum, { size }) => sum + size, 1) }
  extents.set(flow, extent)
  return extent
}

/** All of it mixed, as in text that is put together. */
export function mixed(...flows: readonly Flow[]): Flow {
  return { rest: worstOf(...flows) }
}

export function fieldOf({ rest, fields }: Flow, name: string): Flow {
  return fields?.get(name) ?? { rest }
}

/** Any of the fields. */
export function anyFieldOf({ rest, fields }: Flow): Flow {
  return unionOf({ rest }, ...(fields?.values() ?? []))
}

/** One or the other. */
export function unionOf(...flows: readonly Flow[]): Flow {
  return flows.length === 0 ? FROM_ROLE : flows.reduce(union)
}

function union(left: Flow, right: Flow): Flow {
  const names = new Set([...(left.fields?.keys() ?? []), ...(right.fields?.keys() ?? [])])
  const fields = [...names].map((name) => [name, union(fieldOf(left, name), fieldOf(right, name))] as const)
  const [first, second] = [left.call, right.call]
  return bounded({
    rest: worse(left.rest, right.rest),
    ...(fields.length > 0 && { fields: new Map(fields) }),
    names: worse(left.names ?? ROLE_MARK, right.names ?? ROLE_MARK),
    call: first && second ? (args) => union(first(args), second(args)) : (first ?? second),
  })
}

/** The same flow, and nothing in it is the role's own any more. */
export function asRead({ rest, fields, names = ROLE_MARK, call }: Flow): Flow {
  const raised = fields && new Map([...fields].map(([name, inner]) => [name, asRead(inner)]))
  return { rest: worse(FROM_CLUSTER.rest, rest), fields: raised, names: worse(FROM_CLUSTER.rest, names), call }
}

/** The same flow with a further name on the way of its secrets. */
export function through(flow: Flow, step: TrailStep): Flow {
  const mark = ({ origin, trail }: Mark): Mark => ({ origin, trail: origin === 'secret' ? [...trail, step] : trail })
  const fields = flow.fields && new Map([...flow.fields].map(([key, inner]) => [key, through(inner, step)]))
  return { rest: mark(flow.rest), fields, names: flow.names && mark(flow.names) }
}
