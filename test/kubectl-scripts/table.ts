import type { FunctionResult } from './run-functions.ts'

/** How one function went on both servers. */
export interface Row {
  readonly name: string
  /** `passed 3 s`, `failed 3 s`, or `not run`. */
  readonly real: string
  readonly sandbox: string
  readonly reason: string
  /** It failed on the real server, or on the sandbox without a reason, or passed in spite of one. */
  readonly isUnexpected: boolean
}

export type Results = ReadonlyMap<string, FunctionResult>

/** @param real absent when it was not asked */
export function compareResults(
  names: readonly string[],
  { sandbox, real }: { readonly sandbox: Results; readonly real: Results | undefined },
  reasons: Readonly<Record<string, string>>,
): readonly Row[] {
  return names.map((name) => {
    const [mine, theirs] = [sandbox.get(name), real?.get(name)]
    const reason = reasons[name]
    const isUnexpected = hasPassed(mine) !== (reason === undefined) || (real !== undefined && !hasPassed(theirs))
    return { name, real: print(theirs), sandbox: print(mine), reason: reason ?? '', isUnexpected }
  })
}

function hasPassed(result: FunctionResult | undefined): boolean {
  return result?.passed === true
}

function print(result: FunctionResult | undefined): string {
  return result ? `${result.passed ? 'passed' : 'failed'} ${Math.round(result.seconds)} s` : 'not run'
}
