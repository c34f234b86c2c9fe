import type { JsonObject } from '../../../src/core/base/json.ts'
import type { Step } from './exchange.ts'

export const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io'

/** Longer ago than a duration of Go can express: such an age does not tick. */
export const LONG_AGO = '1600-01-01T00:00:00Z'

/** An object, and the states in which it is shown. */
export interface TableCase {
  /** Of the collection. */
  readonly path: string
  readonly body: JsonObject
  /** Also the name of the step. */
  readonly name: string
  /** By name, what is PUT to `/status`, on trial: no controller gets to see it. */
  readonly states?: Readonly<Record<string, JsonObject>>
}

/** The row of each object as it is created, and in each of its states. Objects without states are created on trial. */
export function tableSteps(cases: readonly TableCase[]): readonly Step[] {
  return cases.flatMap((each) => [creation(each), ...states(each)])
}

function creation({ name, path, body, states }: TableCase): Step {
  const query = states === undefined ? '?dryRun=All&includeObject=None' : '?includeObject=None'
  return { name, method: 'POST', path: path + query, headers: { accept: TABLE }, body }
}

function states({ name, path, body, states: all = {} }: TableCase): readonly Step[] {
  const { name: object } = body.metadata as { name: string }
  return Object.entries(all).map(([state, status]) => ({
    name: `${name}, ${state}`,
    method: 'PUT',
    path: `${path}/${object}/status?dryRun=All&includeObject=None`,
    headers: { accept: TABLE },
    body: { ...body, status },
  }))
}
