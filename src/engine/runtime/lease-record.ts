import { isJsonObject, type JsonObject, type JsonValue } from '../../core/base/json.ts'
import type { KubeObject } from '../../core/kube/object.ts'

/** What a Lease says, read so that nothing that somebody has written into it is an error. */
export interface LeaseRecord {
  /** Empty: nobody. */
  readonly holder: string
  /** Milliseconds; 0 when it does not say. */
  readonly duration: number
  readonly transitions: number
  /** As it stands there. */
  readonly acquireTime: string | undefined
  readonly renewTime: string | undefined
}

/** No server takes more. */
export const MAX_TRANSITIONS = 2 ** 31 - 1

/** Of a holder that let go of it: nobody need wait. */
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

/** Whether its holder has let go of it, which is not the same as a holder that somebody has taken out. */
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
  /** Milliseconds since 1970. */
  readonly now: number
}

/** As client-go leaves it: nobody holds it, and nobody waits for long. */
export function releasedSpec(transitions: number, now: number): JsonObject {
  return heldSpec({ holder: '', duration: RELEASED_SECONDS * 1000, transitions, now })
}

/** `2026-01-01T00:00:00.000000Z`: the format of a `MicroTime`. */
function microTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000Z')
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function numberOf(value: JsonValue | undefined): number {
  return typeof value === 'number' ? value : 0
}
