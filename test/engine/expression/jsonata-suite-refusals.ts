/** Why our language does not do what a case of the library's suite expects, with the code that it gives instead. */
interface Refusal {
  readonly code: string
  readonly reason: string
  /** `group/file`, or `group/` for all of a group; `#index` where a file holds several cases. */
  readonly cases: readonly string[]
}

export const REFUSALS: readonly Refusal[] = [
  {
    code: 'E1204',
    reason: '$eval: text is data, never code',
    cases: ['function-eval/'],
  },
  {
    code: 'E1204',
    reason: '$shuffle and $now: a result depends on its inputs only',
    cases: ['function-shuffle/', 'function-tomillis/parseDateTime#28'],
  },
  {
    code: 'D3136',
    reason: '$toMillis of a time without a date would take the date from the clock',
    cases: ['function-tomillis/parseDateTime#29'],
  },
  {
    code: 'E1205',
    reason: 'transforms are not in the language: they change a copy where a new object says what is wanted',
    cases: ['transforms/'],
  },
  {
    code: 'E1007',
    reason: 'the result is an integer beyond 2^53, which no API server and no reader keeps exactly',
    cases: [
      'function-parseInteger/parseInteger#39',
      'literals/case006',
      'tail-recursion/case001',
      // The suite expects its runner's guard to stop this one; ours allows the depth, so it ends with its value.
      'tail-recursion/case002',
      'tail-recursion/case004',
    ],
  },
]

export function refusalOf(name: string): Refusal | undefined {
  return REFUSALS.find(({ cases }) =>
    cases.some((known) => name === known || (known.endsWith('/') && name.startsWith(known))),
  )
}
