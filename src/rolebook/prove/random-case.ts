import type { JsonObject } from '../../core/base/json.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import type { Dice } from './dice.ts'
import { driftOf } from './drift.ts'
import type { ProofCase, ProofEvent, WrittenStep } from './proof-case.ts'
import { referenceTo } from './properties.ts'

/** What the life without disturbances has shown of a role. */
export interface Known {
  /** Children after each event of that life, the creation being the first. */
  readonly children: readonly (readonly KubeObject[])[]
  /** Whether a resource can be made again after its deletion: nothing of the former one stays. */
  readonly leavesNothing: boolean
  /** Children whose fields others may edit for good. */
  readonly isLenient: (child: KubeObject) => boolean
}

const MOST_DISTURBANCES = 5

/** The case with disturbances among its edits. */
export function disturbed(calm: ProofCase, { dice, known }: { readonly dice: Dice; readonly known: Known }): ProofCase {
  const events: ProofEvent[] = dice.percent(30) ? [disturbance(fault(dice, calm, known.children[0] ?? []))] : []
  const slots = [undefined, ...calm.events]
  let resource = calm.resource
  for (const [index, edit] of slots.entries()) {
    if (edit) {
      events.push({ ...edit, step: hurried(dice, edit.step) })
      resource = { ...resource, ...(edit.step.patch as JsonObject) } as KubeObject
    }
    const children = known.children[index] ?? []
    const count = dice.below(Math.ceil(MOST_DISTURBANCES / slots.length) + 1) + (index === slots.length - 1 ? 1 : 0)
    for (let made = 0; made < count; made++) {
      // Made again, a resource is as it was first: only before the first edit is that what it is to be.
      const mayBeReborn = index === 0 && known.leavesNothing && !KEPT_KINDS.has(calm.resource.kind)
      const again = mayBeReborn && dice.percent(10) ? reborn(calm.resource) : undefined
      events.push(...(again ?? [disturbance(hurried(dice, oneOf(dice, { calm, children, known })))]))
    }
  }
  return { ...calm, events }
}

function disturbance(step: WrittenStep): ProofEvent {
  return { kind: 'disturbance', step }
}

function reborn(resource: KubeObject): readonly ProofEvent[] {
  const object = resource as unknown as JsonObject
  return [disturbance({ delete: referenceTo(resource) }), disturbance({ create: object })]
}

const WAITS = ['0s', '0s', '100ms', '1s', '5s', '30s']

/** Often the next thing happens while the operator is still at work. */
function hurried(dice: Dice, step: WrittenStep): WrittenStep {
  return dice.percent(40) ? { ...step, wait: dice.pick(WAITS) } : step
}

interface Surroundings {
  readonly calm: ProofCase
  readonly children: readonly KubeObject[]
  readonly known: Known
}

function oneOf(dice: Dice, { calm, children, known }: Surroundings): WrittenStep {
  const chosen = dice.below(100)
  if (chosen < 15) return { restart: dice.percent(50) ? 'stop' : 'crash' }
  if (chosen < 25) return { advance: dice.pick(['10s', '1m', '10m', '2h']) }
  if (chosen < 50) return fault(dice, calm, children)
  if (chosen < 60) return touch(dice, calm.resource)
  const target = children.length > 0 ? dice.pick(children) : undefined
  if (!target) return touch(dice, calm.resource)
  const inItems = calm.events.length === 0
  const edit = chosen < 85 && !known.isLenient(target) ? driftOf(dice, target, { inItems }) : undefined
  if (edit) return { patch: { ...referenceTo(target), ...edit } }
  return KEPT_KINDS.has(target.kind) ? touch(dice, calm.resource) : { delete: referenceTo(target) }
}

/** Another hand deletes none of these: what they hold, or have done, no operator brings back, and a Namespace takes its time to go. */
const KEPT_KINDS: ReadonlySet<string> = new Set([
  ...['PersistentVolumeClaim', 'PersistentVolume', 'Namespace', 'CustomResourceDefinition', 'Job'],
])

/** Another client writes the resource, and changes nothing that a role may look at. */
function touch(dice: Dice, resource: KubeObject): WrittenStep {
  const annotations = { 'rolebook.dev/reconcile-at': String(dice.below(1_000_000)) }
  return { patch: { ...referenceTo(resource), metadata: { annotations } } }
}

const CODES = [409, 429, 500, 503, 504]
const VERBS = ['get', 'list', 'watch', 'create', 'patch', 'patch', 'delete']

function fault(dice: Dice, { resource }: ProofCase, children: readonly KubeObject[]): WrittenStep {
  const { apiVersion, kind } = dice.pick([resource, ...children])
  const verb = dice.pick(VERBS)
  const which = { ...(dice.percent(80) && { verb }), ...(dice.percent(60) && { apiVersion, kind }) }
  const how = dice.percent(30) ? { drop: dice.pick(['before', 'after']) } : { code: dice.pick(CODES) }
  return { fail: [{ ...which, ...how, times: 1 + dice.below(4) }] }
}
