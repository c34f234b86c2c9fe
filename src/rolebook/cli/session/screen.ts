import { systemClock } from '../../../core/base/clock.ts'
import type { Logger } from '../../../core/base/logger.ts'
import type { Invocation } from '../command.ts'
import { type LiveView, newLiveView } from '../live-view.ts'
import { newLogger } from '../new-logger.ts'
import { printSession } from './session-commands.ts'
import type { SessionRecord } from './session-record.ts'

/** What is said before the live view is there goes to the terminal, afterwards into the view. */
export class Screen {
  readonly #invocation: Invocation
  readonly logger: Logger
  view: LiveView | undefined

  constructor(invocation: Invocation) {
    this.#invocation = invocation
    this.logger = newLogger(invocation, (text) => this.say(text))
  }

  /** Programs get one line and need no view. */
  start(heading: string, session: SessionRecord): void {
    const { terminal } = this.#invocation
    if (this.#invocation.given('output') === 'json') terminal.out(printSession(session))
    else this.view = newLiveView(terminal, { clock: systemClock, heading })
  }

  say(text: string): void {
    if (this.view) this.view.say(text)
    else this.#invocation.terminal.err(text)
  }

  /** `undefined`: nothing is wrong any more. */
  showProblem(text: string | undefined): void {
    if (this.view) this.view.showProblem(text)
    else if (text !== undefined) this.say(text)
  }

  stop(): void {
    this.view?.stop()
  }
}
