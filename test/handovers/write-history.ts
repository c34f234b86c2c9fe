import { isJsonObject, type JsonObject } from '../../src/core/base/json.ts'
import type { AnsweredWrite } from '../support/intercepting-proxy.ts'

/** A write that the server has done for one of the processes. */
export interface HistoricWrite {
  readonly by: string
  /** `PATCH /api/v1/…`. */
  readonly what: string
  /** Of the object after it: the order in which the server did things. */
  readonly version: number
  readonly arrivedAt: number
  readonly answeredAt: number
}

/** A write that arrived while another process was known to hold the lease. */
export interface LateWrite extends HistoricWrite {
  /** Absent while no process has held it yet. */
  readonly holder: Transition | undefined
}

/** From this version on a process held the lease, until the next one did. */
export interface Transition {
  readonly to: string
  readonly version: number
  readonly at: number
}

/**
 * All that several processes have written, in the order of the server: its versions are the revisions of one store, so
 * they say who held the lease when a write was done, whatever the clocks and sockets of this machine did.
 */
export class WriteHistory {
  readonly writes: HistoricWrite[] = []
  readonly transitions: Transition[] = []
  /** When the lease was last let go. */
  releasedAt = 0
  /** Versions that others made: what changes nothing is answered with one of them. */
  readonly #foreign = new Set<number>()
  #refused = 0

  /** Writes that the server refused. */
  get refused(): number {
    return this.#refused
  }

  get holder(): string | undefined {
    return this.transitions.at(-1)?.to
  }

  /** A change by a client that is none of the processes. */
  noteForeign(version: string | undefined): void {
    this.#foreign.add(Number(version))
  }

  note(by: string, { method, path, status, body, arrivedAt }: AnsweredWrite): void {
    // A question, whether something is allowed: nothing is stored.
    if (path.startsWith('/apis/authorization.k8s.io/')) return
    if (status >= 300) {
      this.#refused++
      return
    }
    const answeredAt = performance.now()
    const { version, holder } = read(body)
    if (/\/leases\b/.test(path)) this.#noteLease(by, { version, holder, at: answeredAt })
    else this.writes.push({ by, what: `${method} ${path}`, version, arrivedAt, answeredAt })
  }

  /** Writes that changed something while another process held the lease. */
  stale(): readonly HistoricWrite[] {
    const byVersion = Map.groupBy(this.writes, ({ version }) => version)
    return this.writes.filter(({ by, version }) => {
      const holder = this.#holderAt(version)
      if (by === holder || this.#foreign.has(version)) return false
      // Two answers of one version: one of the two writes changed nothing.
      return !byVersion.get(version)?.some((other) => other.by === holder)
    })
  }

  /** Writes of any kind that arrived after the server had answered another process that it holds the lease. */
  late(): readonly LateWrite[] {
    const holderAt = (time: number): Transition | undefined => this.transitions.findLast(({ at }) => at < time)
    const withHolder = this.writes.map((write) => ({ ...write, holder: holderAt(write.arrivedAt) }))
    return withHolder.filter(({ by, holder }) => holder?.to !== by)
  }

  #noteLease(by: string, { version, holder, at }: { version: number; holder: string; at: number }): void {
    if (holder === '') this.releasedAt = at
    if (holder === '' || this.holder === by) return
    this.transitions.push({ to: by, version, at })
  }

  #holderAt(version: number): string | undefined {
    return this.transitions.findLast((transition) => transition.version < version)?.to
  }
}

function read(body: string): { version: number; holder: string } {
  const object: unknown = JSON.parse(body)
  const { metadata, spec } = (isJsonObject(object) ? object : {}) as { metadata?: JsonObject; spec?: JsonObject }
  return { version: Number(metadata?.resourceVersion), holder: String(spec?.holderIdentity ?? '') }
}
