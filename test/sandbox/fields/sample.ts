import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { type Case, casesOf, idOf, numberOf, type Subject, withReferences } from './cases.ts'
import { type Recording, readRecording } from './recording.ts'
import { nameOf, subjects } from './subjects.ts'

/** Some recorded cases of a kind, and what was recorded. */
export interface Sample {
  readonly subject: Subject
  readonly cases: readonly Case[]
  readonly recording: Recording
}

/** Of a few recorded kinds, a few cases: other ones for another seed. */
export function sampleOfRecordings(
  seed: number,
  size: { readonly kinds: number; readonly cases: number },
): readonly Sample[] {
  const recorded = inTurn(subjects(), (subject) => `${seed} ${nameOf(subject)}`)
    .map((subject) => ({ subject, recording: readRecordingOf(subject) }))
    .filter(({ recording }) => recording.size > 0)
  return recorded.slice(0, size.kinds).map(({ subject, recording }) => {
    const all = casesOf(subject).filter((each) => recording.has(idOf(each)))
    const chosen = inTurn(all, (each) => `${seed} ${idOf(each)}`).slice(0, size.cases)
    return { subject, recording, cases: withReferences(all, chosen) }
  })
}

/** The cases that `always.yaml` names. */
export function chosenSample(): readonly Sample[] {
  const chosen: Readonly<Record<string, readonly string[]>> = parse(readFileSync(CHOSEN, 'utf8'))
  const all = subjects()
  return Object.entries(chosen).map(([kind, lines]) => {
    const subject = all.find((each) => nameOf(each) === kind)
    if (subject === undefined) throw new Error(`always.yaml: there is no kind ${kind}`)
    return { subject, ...casesNamed(subject, lines) }
  })
}

const CHOSEN = new URL('always.yaml', import.meta.url)

function casesNamed(subject: Subject, lines: readonly string[]): Pick<Sample, 'cases' | 'recording'> {
  const recording = readRecordingOf(subject)
  const all = casesOf(subject).filter((each) => recording.has(idOf(each)))
  const byId = new Map(all.map((each) => [idOf(each), each]))
  const chosen = lines.map((line) => {
    const found = byId.get(line.replaceAll(' | ', '\t'))
    if (found === undefined) throw new Error(`always.yaml: there is no recorded case ${line}`)
    return found
  })
  return { recording, cases: withReferences(all, chosen) }
}

function readRecordingOf(subject: Subject): Recording {
  return readRecording(nameOf(subject)) ?? new Map()
}

function inTurn<Item>(items: readonly Item[], textOf: (item: Item) => string): readonly Item[] {
  const numbered = items.map((item) => ({ item, number: numberOf(textOf(item)) }))
  return numbered.sort((a, b) => a.number - b.number).map(({ item }) => item)
}
