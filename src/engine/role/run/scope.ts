import type { JsonValue } from '../../../core/base/json.ts'
import type { Meter } from '../../expression/compile/frame.ts'
import type { RunBudget } from '../../expression/compile/run-budget.ts'
import type { Bindings } from '../../expression/compile-expression.ts'
import { Secrecy } from '../secrecy/secrecy.ts'
import type { TaskTracer } from './task-tracer.ts'

export interface ScopeTools {
  /** Defaults to that of the parent, else to one that keeps nothing yet. */
  readonly secrecy?: Secrecy | undefined
  /** Called with the duration of evaluations. Defaults to that of the parent, else to none. */
  readonly meter?: Meter | undefined
  /** Called with the outcomes of tasks. Defaults to that of the parent, else to none. */
  readonly tracer?: TaskTracer | undefined
  /** What the expressions may use together. Defaults to that of the parent, else to no bound. */
  readonly runBudget?: RunBudget | undefined
}

interface ScopeNames {
  readonly values: Map<string, JsonValue>
  readonly registered: Set<string>
}

/**
 * The names that the expressions of a run see, innermost first.
 *
 * A task defines what it registers or sets; a loop gives each item a scope of its own.
 */
export class Scope implements Bindings {
  readonly input: JsonValue
  readonly secrecy: Secrecy
  readonly meter: Meter | undefined
  readonly tracer: TaskTracer | undefined
  readonly runBudget: RunBudget | undefined
  readonly #parent: Scope | undefined
  readonly #names: ScopeNames

  /** `input` is what `$` means: frozen, without nulls. */
  constructor(
    input: JsonValue,
    parent?: Scope,
    {
      secrecy = parent?.secrecy ?? new Secrecy(),
      meter = parent?.meter,
      tracer = parent?.tracer,
      runBudget = parent?.runBudget,
      names = { values: new Map(), registered: new Set() },
    }: ScopeTools & { readonly names?: ScopeNames } = {},
  ) {
    this.input = input
    this.meter = meter
    this.runBudget = runBudget
    this.secrecy = secrecy
    this.tracer = tracer
    this.#parent = parent
    this.#names = names
  }

  /** A scope within this one, for what `tracer` traces. Defaults to the tracer of this one. */
  child(tracer = this.tracer): Scope {
    return new Scope(this.input, this, { tracer })
  }

  /** The same names, for what `tracer` traces. */
  tracedBy(tracer: TaskTracer): Scope {
    return new Scope(this.input, this.#parent, { ...this, tracer, names: this.#names })
  }

  /** What every file of the role sees: its variables, without what tasks have given names to. */
  get base(): Scope {
    return this.#parent?.base ?? this
  }

  variable(name: string): JsonValue | undefined {
    return this.#names.values.has(name) ? this.#names.values.get(name) : this.#parent?.variable(name)
  }

  /** The value is frozen, without nulls. */
  set(name: string, value: JsonValue | undefined): void {
    if (value === undefined) this.#names.values.delete(name)
    else this.#names.values.set(name, value)
  }

  /** Like `set`, and remembers that the value came from the cluster: where it is missing, a task waits for it. */
  register(name: string, value: JsonValue | undefined): void {
    this.set(name, value)
    this.#names.registered.add(name)
  }

  /** Whether the name was registered, also when nothing was there. */
  isRegistered(name: string): boolean {
    return this.#names.registered.has(name) || (this.#parent?.isRegistered(name) ?? false)
  }
}
