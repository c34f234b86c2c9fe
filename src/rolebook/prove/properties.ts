import type { JsonObject, JsonValue } from '../../core/base/json.ts'
import { gvkOf } from '../../core/kube/group-version-kind.ts'
import { formatObject, type KubeObject } from '../../core/kube/object.ts'
import { idOf } from '../../core/kube/object-id.ts'
import { OWNER_ANNOTATION, ownerOf, ownerText } from '../../engine/reconcile/ownership/ownership.ts'
import { findLeaks } from '../role-test/find-leaks.ts'
import { type Judge, type Moment, type Stage, unreadiness, type Violation } from './life.ts'
import { missingPart, ownedContent } from './owned-content.ts'
import { LAST, type ProofCase } from './proof-case.ts'
import { generates, isRefusal, lenientTasks } from './role-tasks.ts'

export const PROPERTIES = {
  converges: 'it converges',
  asserts: 'its asserts hold',
  traceless: 'disturbances leave no trace',
  idempotent: 'a second run changes nothing',
  rest: 'nothing is written at rest',
  removal: 'what it made goes with it',
  secrecy: 'no secret is shown',
} as const

/** How a life stands two hours after the last event. */
export interface Ending {
  readonly unready: { readonly reason: string; readonly message: string } | undefined
  readonly children: readonly KubeObject[]
}

type Found = Omit<Violation, 'index'>

export interface JudgeOptions {
  readonly one: ProofCase
  readonly stage: Stage
  /** How the life without disturbances ended. Absent: this is that life. */
  readonly calm?: Ending | undefined
  /** Texts of the case that were made up. */
  readonly invented: ReadonlySet<string>
}

/** Holds the properties against a life, moment by moment. */
export class LifeJudge {
  ending: Ending | undefined
  /** Children at each quiet moment, by the index of its step. */
  readonly children = new Map<number, readonly KubeObject[]>()
  /** By object: the task that has written it. */
  writers: ReadonlyMap<string, string> = new Map()
  readonly #options: JudgeOptions

  constructor(options: JudgeOptions) {
    this.#options = options
  }

  readonly judge: Judge = (moment) => {
    this.children.set(moment.index, moment.children)
    this.writers = moment.cluster.writers
    return this.#leak(moment) ?? this.#last(moment)
  }

  /** Whether the role refuses what the case asks for, or the case asks for what no user would. */
  get isJudged(): boolean {
    return this.ending !== undefined && this.ending.unready === undefined
  }

  /** Whether the role itself says that it does not take what the case asks for. */
  get isRefusal(): boolean {
    const unready = this.ending?.unready
    return unready !== undefined && isRefusal(unready.message, this.#options.stage.entry.role)
  }

  #last(moment: Moment): Found | undefined {
    switch (moment.name) {
      case LAST.settled:
        this.ending = { unready: unreadiness(moment.resource), children: moment.children }
        return this.#unready(moment) ?? this.#trace(moment)
      case LAST.again:
        return this.isJudged ? this.#written(moment, PROPERTIES.idempotent) : undefined
      case LAST.rest:
        return this.isJudged ? this.#written(moment, PROPERTIES.rest) : undefined
      case LAST.deletion:
        return this.#left(moment)
      default:
        return undefined
    }
  }

  #leak({ cluster }: Moment): Found | undefined {
    const { one } = this.#options
    const objects = [...one.given, one.resource, ...one.events.map(({ step }) => step)]
    const known = objects.filter((object) => object.kind !== 'Secret') as readonly unknown[] as readonly JsonValue[]
    const [leak] = findLeaks({ cluster, known })
    if (leak === undefined) return undefined
    return { property: PROPERTIES.secrecy, what: `a value of a Secret can be read: ${leak}`, check: { leaks: [] } }
  }

  /** A resource that is not ready, where nothing but the role can be the cause. */
  #unready({ resource }: Moment): Found | undefined {
    const { calm, invented, stage } = this.#options
    const unready = this.ending?.unready
    if (!resource || !unready) return undefined
    const refuses = isRefusal(unready.message, stage.entry.role)
    const isExcused = calm ? calm.unready !== undefined : refuses || invented.size > 0
    if (isExcused) return undefined
    const ready = { type: 'Ready', status: 'True' }
    return {
      property: refuses ? PROPERTIES.asserts : PROPERTIES.converges,
      what: `${formatObject(resource)} is not ready: ${unready.reason}: ${unready.message}`,
      check: { expect: [{ ...referenceTo(resource), status: { conditions: [ready] } }] },
    }
  }

  /** A child that is not what it is in the life without disturbances. */
  #trace({ children, cluster }: Moment): Found | undefined {
    const { calm } = this.#options
    if (!calm || calm.unready || this.ending?.unready) return undefined
    const { kinds, entry } = this.#options.stage
    const { role } = entry
    const lenient = lenientTasks(role)
    for (const wanted of calm.children) {
      const actual = children.find((child) => idOf(child) === idOf(wanted))
      // A Job that has run is not made again, and what is edited for good stays so.
      if (actual ? lenient.has(cluster.writers.get(idOf(wanted)) ?? '') : wanted.kind === 'Job') continue
      const { data, ...content } = ownedContent(wanted)
      const isMadeUp = wanted.kind === 'Secret' && (generates(role) || isRelease(wanted))
      const all = isMadeUp || data === undefined ? content : { ...content, data }
      const part = actual ? missingPart(all, actual as unknown as JsonObject, kinds.of(gvkOf(wanted))?.schema) : {}
      if (part === undefined) continue
      const what = actual
        ? `${formatObject(wanted)} is not what it is without disturbances`
        : `there is no ${formatObject(wanted)}`
      return { property: PROPERTIES.traceless, what, check: { expect: [{ ...referenceTo(wanted), ...part }] } }
    }
    const more = children.find((child) => !calm.children.some((one) => idOf(one) === idOf(child)))
    if (!more || more.kind === 'Job') return undefined
    const what = `${formatObject(more)} is there, which is not without disturbances`
    return { property: PROPERTIES.traceless, what, check: { absent: [referenceTo(more)] } }
  }

  #written({ cluster }: Moment, property: string): Found | undefined {
    const write = cluster.traffic.writes.find(({ refused }) => refused === undefined)
    return write && { property, what: `it has written ${write.what} ${write.object}`, check: { writes: {} } }
  }

  #left({ resource, children }: Moment): Found | undefined {
    const { one } = this.#options
    const namespace = one.resource.metadata.namespace
    const owner = resource ?? one.resource
    const texts = [owner, { ...owner, metadata: { ...owner.metadata, namespace: namespace ?? 'default' } }].map(
      (object) => ownerText(ownerOf(object, gvkOf(object))),
    )
    const mine = children.find(({ metadata }) => texts.includes(metadata.annotations?.[OWNER_ANNOTATION] ?? ''))
    const left = mine ?? resource
    if (!left) return undefined
    const what = `${formatObject(left)} is still there after the deletion`
    return { property: PROPERTIES.removal, what, check: { absent: [referenceTo(left)] } }
  }
}

/** The record of a Helm release holds when each life took place. */
function isRelease({ metadata: { name = '' } }: KubeObject): boolean {
  return name.startsWith('rolebook.release.')
}

/** As a role test names an object. */
export function referenceTo({ apiVersion, kind, metadata: { name = '', namespace } }: KubeObject): JsonObject {
  return { apiVersion, kind, name, ...(namespace !== undefined && namespace !== 'default' && { namespace }) }
}
