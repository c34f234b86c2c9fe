import type { RunTrace, TracedObject, TracedTask } from '../../engine/reconcile/trace/run-trace.ts'
import type { Fight } from '../ui/model.ts'

/** The reason of a task that leaves a field alone, as traces have it before the message. */
const GIVEN_UP = 'DriftFight: '
/** Corrections of the same fields before they count as a fight. */
const FEWEST = 2

/** Whether a task has left a field alone that another client keeps changing. */
export function isGivenUp({ why = [] }: Pick<TracedTask, 'why'>): boolean {
  return why.some((reason) => reason.startsWith(GIVEN_UP))
}

/** Milliseconds after which a correction is no sign of a fight any more. */
const FORGOTTEN = 10 * 60_000

/** The fields that were put back again and again in the last of these runs, the latest first, or that are left alone. */
export function fightsIn(all: readonly RunTrace[], now: number): readonly Fight[] {
  const runs = all.filter(({ at }, index) => index === 0 || now - Date.parse(at) < FORGOTTEN)
  const givenUp = (runs[0]?.tasks ?? []).flatMap(({ why = [] }) => why.filter((reason) => reason.startsWith(GIVEN_UP)))
  const corrected = runs.flatMap(({ tasks }) => tasks.flatMap(({ objects = [] }) => objects.filter(isCorrection)))
  const fights = [...Map.groupBy(corrected, ({ object, lost = [] }) => [object, ...lost].join('\n'))].flatMap(
    ([, corrections]) => fightOf(corrections, givenUp),
  )
  const isKnown = (message: string): boolean => fights.some((fight) => fight.message === message)
  // What was put back may be forgotten.
  const others = givenUp.map(messageOf).filter((message) => !isKnown(message))
  return [...fights, ...others.map(unknownFight)]
}

function isCorrection({ did }: TracedObject): boolean {
  return did === 'corrected'
}

function fightOf(corrections: readonly TracedObject[], givenUp: readonly string[]): readonly Fight[] {
  const [last] = corrections
  if (!last) return []
  const { object, lost: fields = [], by = '' } = last
  const reported = givenUp.find((reason) => reason.includes(object) && fields.some((field) => reason.includes(field)))
  if (reported === undefined && corrections.length < FEWEST) return []
  const who = by === '' ? 'another client' : `"${by}"`
  const message = `${who} keeps changing ${fields.join(', ')}, and the operator puts it back`
  return [
    {
      ...{ object, fields, by, corrections: corrections.length, isGivenUp: reported !== undefined },
      message: reported === undefined ? message : messageOf(reported),
    },
  ]
}

/** The messages of the engine: about a field of an object, a field of an object that is only patched, and an object that is deleted again and again. */
const FOUGHT = /^(?:(?:cannot keep )?`(?<field>.*)` of )?(?<object>.*?)(?:: another client keeps| keeps being )/

function unknownFight(message: string): Fight {
  const { field = '', object = '' } = FOUGHT.exec(message)?.groups ?? {}
  return { object, fields: field === '' ? [] : [field], by: '', corrections: 0, isGivenUp: true, message }
}

function messageOf(reason: string): string {
  return reason.slice(GIVEN_UP.length)
}
