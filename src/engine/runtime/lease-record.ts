import { isJsonObject, type JsonObject, type JsonValue } from '../../core/base/json.ts'
import type { KubeObject } from '../../core/kube/object.ts'

export const LEASE = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' } as const

/** The content of a Lease. Any content can be parsed, since other clients may have written it. */
export interface LeaseRecord {
  /** Empty: the Lease is not held. */
  readonly holder: string
  /** Milliseconds; 0 if the Lease has none. */
  readonly duration: number
  readonly transitions: number
  /** As it is written in the Lease. */
  readonly acquireTime: string | undefined
  readonly renewTime: string | undefined
}

/** The server accepts no more. */
export const MAX_TRANSITIONS = 2 ** 31 - 1

/** The duration in a released Lease. It is short, so that others need not wait. */
const RELEASED_SECONDS = 1

export function parseLease(lease: KubeObject): LeaseRecord {
  const spec = isJsonObject(lease.spec) ? lease.spec : {}
  return {
    holder: textOf(spec.holderIdentity) ?? '',
    duration: numberOf(spec.leaseDurationSeconds) * 1000,
    transitions: numberOf(spec.leaseTransitions),
    acquireTime: textOf(spec.acquireTime),
    renewTime: textOf(spec.renewTime),
  }
}

/** Whether its holder has released it. A Lease whose holder another client has removed is not released. */
export function isReleased({ holder, duration }: LeaseRecord): boolean {
  return holder === '' && duration === RELEASED_SECONDS * 1000
}

/** The `spec` of a Lease that is held from `now` on. */
export function heldSpec(record: Pick<LeaseRecord, 'holder' | 'duration' | 'transitions'> & Times): JsonObject {
  const renewTime = microTime(record.now)
  return {
    holderIdentity: record.holder,
    leaseDurationSeconds: Math.max(1, Math.ceil(record.duration / 1000)),
    acquireTime: record.acquireTime ?? renewTime,
    renewTime,
    leaseTransitions: Math.min(record.transitions, MAX_TRANSITIONS),
  }
}

interface Times {
  /** Absent: now. */
  readonly acquireTime?: string | undefined
  /** Milliseconds since 1970, with fractions. */
  readonly now: number
}

/** The `spec` of a released Lease, as client-go writes it. */
export function releasedSpec(transitions: number, now: number): JsonObject {
  return heldSpec({ holder: '', duration: RELEASED_SECONDS * 1000, transitions, now })
}

/** `2026-01-01T00:00:00.000000Z`: the format of a `MicroTime`. */
function microTime(milliseconds: number): string {
  const micros = Math.floor((milliseconds % 1) * 1000)
  return new Date(milliseconds).toISOString().replace('Z', `${String(micros).padStart(3, '0')}Z`)
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function numberOf(value: JsonValue | undefined): number {
  return typeof value === 'number' ? value : 0
}
