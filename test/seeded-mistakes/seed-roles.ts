import { Dice } from '../support/dice.ts'
import type { CorrectRole } from './correct-roles.ts'
import { findingsIn, textOf } from './find-in-role.ts'
import { type ManifestMistake, manifestMistakes } from './manifest-mistakes.ts'

/** A mistake in one of the roles. */
export interface SeededMistake {
  readonly role: CorrectRole
  readonly mistake: ManifestMistake
}

/** Of one class of mistakes: how many were made, and those that `check` did not see. */
export interface ClassResult {
  readonly name: string
  readonly made: number
  readonly missed: readonly SeededMistake[]
}

/** Roles that are larger take long, and hold nothing that smaller ones do not. */
const LARGEST = 30_000

/** Some mistakes of each class, always the same for a seed, from as many roles as have any. */
export function seedMistakes(roles: readonly CorrectRole[], perClass: number, seed: number): readonly SeededMistake[] {
  const dice = new Dice(seed)
  const all = roles
    .filter((role) => textOf(role).length <= LARGEST)
    .flatMap((role) => manifestMistakes(textOf(role)).map((mistake) => ({ role, mistake })))
  const classes = Map.groupBy(all, ({ mistake }) => mistake.mistake)
  return [...classes.values()].flatMap((list) => {
    const left = [...list]
    return Array.from({ length: Math.min(perClass, list.length) }, () => left.splice(dice.below(left.length), 1)).flat()
  })
}

/** What `check` sees of the mistakes, class by class. */
export async function tryMistakes(mistakes: readonly SeededMistake[]): Promise<readonly ClassResult[]> {
  const results: ClassResult[] = []
  for (const [name, list] of Map.groupBy(mistakes, ({ mistake }) => mistake.mistake)) {
    const missed: SeededMistake[] = []
    for (const one of list) if ((await findingsIn(one.role, one.mistake.text)).length === 0) missed.push(one)
    results.push({ name, made: list.length, missed })
  }
  return results
}
