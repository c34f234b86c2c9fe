import type { Problem } from '../../../core/yaml/diagnostic.ts'
import { BUILTIN_FUNCTIONS } from '../../expression/builtins/builtin-functions.ts'
import type { Flow } from '../../expression/flow/flow.ts'
import { type FunctionTable, REFUSED_FUNCTIONS } from '../../expression/function-table.ts'
import { ROLE_FUNCTIONS } from '../functions/functions.ts'

/** Names that the language gives itself. */
const RESERVED: readonly string[] = ['item', 'index', 'watch', 'self', 'failure']
/** Of JSONata and of the language. */
export const FUNCTION_NAMES: ReadonlySet<string> = new Set([
  ...BUILTIN_FUNCTIONS.map(({ name }) => name),
  ...ROLE_FUNCTIONS.keys(),
  // Those that the language leaves out keep their names: a variable called `$now` would mislead.
  ...REFUSED_FUNCTIONS.keys(),
])

/** What is wrong with a name as a variable, wherever it is given; `undefined` when nothing is. */
export function variableNameProblem(name: string): Problem | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    const hint = 'use letters, digits and `_`, and no digit first'
    return { code: 'RB1105', message: `expressions cannot read a variable called \`${name}\``, hint }
  }
  if (FUNCTION_NAMES.has(name)) return functionProblem(name)
  if (!RESERVED.includes(name)) return undefined
  return { code: 'RB1104', message: `\`$${name}\` is given by the language`, hint: 'choose another name' }
}

function functionProblem(name: string): Problem {
  return { code: 'RB1104', message: `\`$${name}\` is a function`, hint: 'choose another name' }
}

/** Where a name was given. */
export interface NamePlace {
  readonly file: string
  readonly line: number
}

/** The variables of a role, in the order in which they come into being. */
export class VariableNames {
  readonly #parent: VariableNames | undefined
  readonly #functions: FunctionTable
  /** Names without a place are given outside of the role. */
  readonly #places = new Map<string, NamePlace | undefined>([['watch', undefined]])
  readonly #live = new Set<string>()
  readonly #flows = new Map<string, Flow>()

  /** @param functions those of the role; variables may not have their names */
  constructor(parent?: VariableNames, functions: FunctionTable = ROLE_FUNCTIONS) {
    this.#parent = parent
    this.#functions = functions
  }

  /** Names of a scope within this one: they are not visible outside of it. */
  nested(): VariableNames {
    return new VariableNames(this, this.#functions)
  }

  /** Makes a name visible, unless there is something wrong with it. `live`: it holds what was read from the cluster. */
  add(name: string, place: NamePlace | undefined, live = false): Problem | undefined {
    const problem = this.problemWith(name, place)
    if (problem) return problem
    this.#places.set(name, place)
    if (live) this.#live.add(name)
    return undefined
  }

  /** What is wrong with giving a name at a place. */
  problemWith(name: string, at: NamePlace | undefined): Problem | undefined {
    const problem = variableNameProblem(name) ?? (this.#functions.has(name) ? functionProblem(name) : undefined)
    const holder = this.#holderOf(name)
    if (problem || holder === undefined) return problem
    const message = `\`$${name}\` has its meaning already, given ${wordsFor(holder.#places.get(name), at?.file)}`
    return { code: 'RB1103', message, hint: 'choose another name' }
  }

  /** What an expression sees now, with names that only this place has. */
  visible(extra: readonly string[] = []): ReadonlySet<string> {
    return new Set([...(this.#parent?.visible() ?? []), ...this.#places.keys(), ...extra])
  }

  /** Says what flows into a name. */
  setFlow(name: string, flow: Flow): void {
    this.#flows.set(name, flow)
  }

  /** Defaults to what the role says. */
  flowOf(name: string): Flow | undefined {
    return this.#flows.get(name) ?? this.#parent?.flowOf(name)
  }

  isLive(name: string): boolean {
    return this.#live.has(name) || (this.#parent?.isLive(name) ?? false)
  }

  #holderOf(name: string): VariableNames | undefined {
    if (this.#places.has(name)) return this
    return this.#parent === undefined ? undefined : this.#parent.#holderOf(name)
  }
}

function wordsFor(place: NamePlace | undefined, file: string | undefined): string {
  if (place === undefined) return 'in watches.yaml'
  return place.file === file ? `in line ${place.line}` : `in line ${place.line} of ${place.file}`
}
