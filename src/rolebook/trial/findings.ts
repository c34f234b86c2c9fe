import { type Diagnostic, diagnosticAt, type Problem, type SourceRange } from '../../core/yaml/diagnostic.ts'
import type { TrialCase } from './trial-cases.ts'

/** Something that went wrong in a trial. */
export interface Finding {
  /** Of the task in the run. */
  readonly place: string
  readonly range: SourceRange
  readonly problem: Problem
}

interface Found extends Finding {
  readonly cases: Set<TrialCase>
  readonly first: TrialCase
}

/** What the trials of one role have found: each mistake once, however many resources show it. */
export class Findings {
  readonly #found = new Map<string, Found>()
  readonly #reached = new Map<string, Set<TrialCase>>()

  add(finding: Finding, one: TrialCase): void {
    const { range, problem } = finding
    const id = `${range.source.path} ${range.start} ${problem.code}`
    const found = this.#found.get(id) ?? { ...finding, cases: new Set(), first: one }
    found.cases.add(one)
    this.#found.set(id, found)
  }

  /** A task has sent an object for a resource. */
  reached(place: string, one: TrialCase): void {
    const task = withoutItems(place)
    const cases = this.#reached.get(task) ?? new Set()
    cases.add(one)
    this.#reached.set(task, cases)
  }

  /**
   * What a sample shows, or every resource for which the task was reached, is an error. What some made resource alone shows is
   * a warning: the resource may never be wanted.
   */
  diagnostics(): readonly Diagnostic[] {
    return [...this.#found.values()].map((found) => {
      const isOfSample = [...found.cases].some(({ isSample }) => isSample)
      const reached = this.#reached.get(withoutItems(found.place)) ?? new Set()
      const isAlways = reached.isSubsetOf(found.cases)
      const isSure = isOfSample || isAlways
      const { severity = isSure ? 'error' : 'warning', message } = found.problem
      const text = isSure ? message : `${message} (shown by ${found.first.what})`
      return diagnosticAt(found.range, { ...found.problem, severity, message: text })
    })
  }
}

/** The place of a task without the items of the loops around it. */
function withoutItems(place: string): string {
  return place.replaceAll(/ \[\d+\]/g, '')
}
