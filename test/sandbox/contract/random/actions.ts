import fc from 'fast-check'
import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import { jsonPatches } from './json-patches.ts'
import { metadataValues } from './metadata-values.ts'
import type { Subject } from './subject.ts'
import { objectsOf, type Values, type Wishes } from './values.ts'

/** What one manager asks about the one object of a sequence. */
export interface Action {
  readonly verb: 'create' | 'apply' | 'put' | 'edit' | 'json' | 'merge' | 'strategic' | 'delete'
  readonly manager: string
  /** Index of a version of the kind. */
  readonly version: number
  readonly subresource: '' | 'status' | 'scale'
  readonly dryRun: boolean
  readonly validation: '' | 'Strict' | 'Ignore'
  readonly force: boolean
  /** Of what version a PUT speaks. */
  readonly lock: 'live' | 'first' | 'none'
  /** An object, what is merged into the live one (edit), a patch, or DeleteOptions. */
  readonly body: JsonValue
}

const common = {
  manager: fc.constantFrom('alice', 'bob', 'carol'),
  version: fc.nat({ max: 1 }),
  dryRun: rarely(12),
  validation: fc.oneof(
    { weight: 10, arbitrary: fc.constant('' as const) },
    { weight: 1, arbitrary: fc.constantFrom('Strict' as const, 'Ignore' as const) },
  ),
  force: fc.boolean(),
  lock: fc.constantFrom('live' as const, 'live' as const, 'live' as const, 'none' as const, 'first' as const),
}

function rarely(times: number): fc.Arbitrary<boolean> {
  return fc.oneof({ weight: times, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) })
}

export function actionsOn(subject: Subject): fc.Arbitrary<Action> {
  const whole = bodies(subject, {})
  const edits = bodies(subject, { nulls: true, partial: true })
  const of = (verb: Action['verb'], body: Values, subresource: Action['subresource'] = ''): fc.Arbitrary<Action> =>
    fc.record({ ...common, verb: fc.constant(verb), subresource: fc.constant(subresource), body })
  const strategic = bodies(subject, { nulls: true, partial: true, directives: true })
  return fc.oneof(
    { weight: 4, arbitrary: of('create', whole) },
    { weight: 14, arbitrary: of('apply', fc.oneof(whole, bodies(subject, { partial: true }))) },
    { weight: 5, arbitrary: of('put', whole) },
    { weight: 5, arbitrary: of('edit', edits) },
    { weight: 5, arbitrary: of('merge', edits) },
    { weight: 5, arbitrary: of('json', jsonPatches(subject.schema)) },
    { weight: subject.custom ? 1 : 6, arbitrary: of('strategic', strategic) },
    { weight: 1, arbitrary: of('delete', deleteOptions) },
    ...(subject.hasStatus ? [{ weight: 5, arbitrary: statusActions(subject, of) }] : []),
    ...(subject.hasScale ? [{ weight: 3, arbitrary: scaleActions(subject, of) }] : []),
  )
}

type Make = (verb: Action['verb'], body: Values, subresource: Action['subresource']) => fc.Arbitrary<Action>

function statusActions(subject: Subject, of: Make): fc.Arbitrary<Action> {
  const edits = bodies(subject, { nulls: true, partial: true })
  const verbs = fc.constantFrom(
    'apply' as const,
    'edit' as const,
    'merge' as const,
    subject.custom ? ('merge' as const) : ('strategic' as const),
  )
  return verbs.chain((verb) => of(verb, verb === 'apply' ? bodies(subject, {}) : edits, 'status'))
}

function scaleActions({ custom }: Subject, of: Make): fc.Arbitrary<Action> {
  const replicas = fc.constantFrom(0, 1, 3, 5, -1)
  const body = replicas.map((count) => ({ spec: { replicas: count } }))
  // The real server fails to convert the Scale of some custom resources that are scaled by an apply.
  const verbs = fc.constantFrom('edit' as const, 'merge' as const, custom ? ('merge' as const) : ('apply' as const))
  return verbs.chain((verb) => of(verb, body, 'scale'))
}

const deleteOptions: Values = fc.constantFrom<JsonValue[]>(
  {},
  { propagationPolicy: 'Background' },
  { preconditions: { uid: 'another' } },
  { preconditions: { resourceVersion: '1' } },
  { dryRun: ['All'] },
)

/** Objects without apiVersion and kind, and with metadata of their own. */
function bodies({ schema, hasStatus }: Subject, wishes: Wishes): Values {
  const fields = objectsOf(schema, wishes, 0, ['apiVersion', 'kind', 'metadata', ...(hasStatus ? [] : ['status'])])
  return fc.tuple(fields, metadataValues(wishes)).map(([object, metadata]): JsonObject => ({ ...object, metadata }))
}
