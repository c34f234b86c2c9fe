import { createHash } from 'node:crypto'
import { getPath, type JsonPath, type JsonValue, printPath } from '../../../src/core/base/json.ts'
import type { BuiltinResource } from '../../../src/core/schema/builtin-schemas.ts'
import type { Schema } from '../../../src/core/schema/schema.ts'
import type { Base } from './bases/base.ts'
import { type Field, fieldsOf } from './fields.ts'
import { ABSENT, MUTATIONS } from './mutations.ts'
import { putAt } from './sample-value.ts'
import { secondItemOf } from './second-item.ts'

export type Verb = 'create' | 'update' | 'patch' | 'apply'

/** A kind that is looked at, and the objects of it that are spoiled. */
export interface Subject {
  readonly resource: BuiltinResource
  readonly schema: Schema
  readonly bases: readonly Base[]
}

/** One field of one base, spoiled in one way, sent in one way. */
export interface Case {
  readonly base: Base
  readonly verb: Verb
  /** Empty, or that of the endpoint which takes the field. */
  readonly subresource: string
  readonly path: JsonPath
  /** Its name, for people and recordings. */
  readonly mutation: string
  readonly strict: boolean
  /** What is put at the path; `undefined` takes it away. */
  readonly value: JsonValue | undefined
  /** Put at its path before: the list that gets a second item. */
  readonly before?: { readonly path: JsonPath; readonly value: JsonValue }
}

/** As a base stands: what mutated answers are measured by. */
export const AS_IT_STANDS = 'as it stands'

/** All cases of a kind, in an order of their own. A field is tried in the base that has most of the way to it. */
export function casesOf(subject: Subject): readonly Case[] {
  const chosen = new Map<string, { readonly base: Base; readonly field: Field }>()
  for (const base of subject.bases) {
    for (const field of fieldsOf(subject.schema, base.object)) {
      const known = chosen.get(field.key)
      if (known === undefined || known.field.depth < field.depth) chosen.set(field.key, { base, field })
    }
  }
  const plain = subject.bases.flatMap((base) => casesAsTheyStand(subject, base))
  return [...plain, ...[...chosen.values()].flatMap(({ base, field }) => casesOfField(subject, base, field))]
}

/** Of a recording. */
export function idOf({ base, verb, path, mutation }: Case): string {
  return [base.name, printPath(path), mutation, verb].join('\t')
}

function casesAsTheyStand(subject: Subject, base: Base): readonly Case[] {
  const endpoints = base.object.status !== undefined && hasStatus(subject) ? ['', 'status'] : ['']
  return endpoints.flatMap((subresource) =>
    verbsOf(subject, subresource).map((verb) => ({
      base,
      verb,
      subresource,
      path: subresource === '' ? [] : [subresource],
      mutation: AS_IT_STANDS,
      strict: false,
      value: undefined,
    })),
  )
}

function casesOfField(subject: Subject, base: Base, field: Field): readonly Case[] {
  const subresource = field.path[0] === 'status' && hasStatus(subject) ? 'status' : ''
  const verbs = verbsOf(subject, subresource)
  const isElsewhere = isTriedElsewhere(subject, field)
  const cases = mutationsOf(base.object, field).flatMap((mutated) => {
    const common = { base, subresource, ...mutated }
    const chosen = isElsewhere ? [verbs[turnOf(subject, field, mutated.mutation) % verbs.length] as Verb] : verbs
    return chosen.map((verb): Case => ({ ...common, verb }))
  })
  const second = isElsewhere ? [] : casesOfSecond(subject, base, field, subresource)
  return [...cases, ...second].filter(isDistinct)
}

/** Whether one way to send a mutation is enough: the same rules hold in another kind, or another field of it. */
function isTriedElsewhere({ resource: { kind } }: Subject, { shared, path: [first, second] }: Field): boolean {
  if (first === 'metadata') return kind !== 'ConfigMap' && kind !== 'Pod'
  return (shared && !IN_FULL.has(kind)) || second === 'initContainers'
}

/** Where shared schemas are tried in full. */
const IN_FULL = new Set(['PersistentVolume', 'ResourceClaim'])

/** The same field of the second item of a list, each mutation in one of the ways to send it. */
function casesOfSecond(subject: Subject, base: Base, field: Field, subresource: string): readonly Case[] {
  const second = secondItemOf(base.object, subject.schema, field.path)
  if (second === undefined) return []
  const verbs = verbsOf(subject, subresource)
  const object = putAt(base.object, subject.schema, second.before.path, second.before.value) as JsonValue
  return mutationsOf(object, { ...field, path: second.path }).map((mutated) => {
    const verb = verbs[turnOf(subject, field, mutated.mutation) % verbs.length] as Verb
    return { base, subresource, ...mutated, verb, before: second.before }
  })
}

function mutationsOf(
  object: JsonValue,
  { path, schema }: Field,
): readonly Pick<Case, 'path' | 'mutation' | 'strict' | 'value'>[] {
  const present = getPath(object, path)
  return MUTATIONS.flatMap(({ name, strict = false, mutate }) => {
    const value = mutate(present, schema)
    if (value === undefined) return []
    return [{ path, mutation: name, strict, value: value === ABSENT ? undefined : value }]
  })
}

/** A merge patch says null and absent in the same way, so one of the two is enough. */
function isDistinct({ verb, path, mutation }: Case): boolean {
  return verb !== 'patch' || mutation !== 'null' || path.some((step) => typeof step === 'number')
}

function verbsOf({ resource: { verbs } }: Subject, subresource: string): readonly Verb[] {
  const known: readonly Verb[] =
    subresource === '' ? ['create', 'update', 'patch', 'apply'] : ['update', 'patch', 'apply']
  return known.filter((verb) => verbs.includes(verb === 'apply' ? 'patch' : verb))
}

function hasStatus({ resource: { subresources } }: Subject): boolean {
  return subresources.some(({ name }) => name === 'status')
}

/** Any number, and the same in every run. */
function turnOf({ resource }: Subject, field: Field, mutation: string): number {
  return numberOf(`${resource.kind} ${field.key} ${mutation}`)
}

/** Whether a case is in a part of all: a larger part holds each smaller one. */
export function isInShare(each: Case, share: number): boolean {
  return numberOf(`${each.base.apiVersion} ${each.base.kind} ${idOf(each)}`) < share * 2 ** 32
}

/** Any number, and the same in every run. */
export function numberOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32LE()
}

/** Chosen cases behind the bases as they stand, by which their answers are measured. */
export function withReferences(all: readonly Case[], chosen: readonly Case[]): readonly Case[] {
  const needed = new Set(chosen.map(referenceOf))
  const others = chosen.filter(({ mutation }) => mutation !== AS_IT_STANDS)
  return [...all.filter((each) => each.mutation === AS_IT_STANDS && needed.has(referenceOf(each))), ...others]
}

function referenceOf({ base, verb, subresource }: Case): string {
  return `${base.name} ${verb} ${subresource}`
}
