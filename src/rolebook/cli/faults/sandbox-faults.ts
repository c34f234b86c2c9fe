import { systemClock } from '../../../core/base/clock.ts'
import { FaultInjector } from '../../../sandbox/apiserver/faults/fault-injector.ts'
import type { FaultPlan } from '../../../sandbox/apiserver/faults/fault-plan.ts'
import { problemsText } from '../open-project.ts'
import type { Terminal } from '../terminal.ts'
import { followFaults, loadFaults } from './fault-file.ts'

const NOTHING: FaultPlan = { seed: 0, rules: [] }

/** The faults of a sandbox, from the file that `--faults` names. */
export class SandboxFaults {
  readonly injector = new FaultInjector(NOTHING, systemClock)
  readonly #path: string | undefined
  readonly #plan: FaultPlan

  /** `undefined` after everything that is wrong with the file was printed. Without a file there are no faults. */
  static async load(path: string | undefined, terminal: Terminal): Promise<SandboxFaults | undefined> {
    if (path === undefined) return new SandboxFaults(path, NOTHING)
    const loaded = await loadFaults(path)
    terminal.err(problemsText(loaded, terminal))
    return loaded.plan && new SandboxFaults(path, loaded.plan)
  }

  private constructor(path: string | undefined, plan: FaultPlan) {
    this.#path = path
    this.#plan = plan
  }

  /** From now on requests go wrong, and the file is followed. Before, the sandbox sets itself up. */
  begin({ stopped, color }: Pick<Terminal, 'stopped' | 'color'>, say: (text: string) => void): void {
    if (this.#path === undefined) return
    this.injector.replacePlan(this.#plan)
    followFaults(this.#path, {
      clock: systemClock,
      signal: stopped,
      known: this.#plan,
      onPlan: (plan) => this.injector.replacePlan(plan),
      onProblem: (loaded) =>
        say(`${problemsText(loaded, { color })}the change is not used; the last good faults go on\n`),
    })
  }
}
