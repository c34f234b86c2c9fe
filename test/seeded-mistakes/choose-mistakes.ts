import fc from 'fast-check'
import { MISTAKES, type Mistake } from './role-mistakes.ts'

/** Some of the mistakes, always the same for a seed: each kind in turn, until none of it is left. */
export function chooseMistakes(mistakes: readonly Mistake[], count: number, seed: number): readonly Mistake[] {
  const piles = MISTAKES.map((kind) =>
    shuffled(
      mistakes.filter(({ mistake }) => mistake === kind),
      seed,
    ),
  )
  const rounds = Math.max(...piles.map(({ length }) => length))
  const inTurn = Array.from({ length: rounds }, (_, round) => piles.flatMap((pile) => pile[round] ?? []))
  return inTurn.flat().slice(0, count)
}

function shuffled(mistakes: readonly Mistake[], seed: number): readonly Mistake[] {
  const order = fc.shuffledSubarray([...mistakes], { minLength: mistakes.length })
  return fc.sample(order, { seed, numRuns: 1 })[0] ?? []
}
