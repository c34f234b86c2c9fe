import { systemClock } from '../../../core/base/clock.ts'
import type { Logger } from '../../../core/base/logger.ts'
import type { Invocation } from '../command.ts'
import { JsonView } from '../live-view/json-view.ts'
import type { LiveView, LiveViewOptions } from '../live-view/live-view.ts'
import { newLiveView } from '../live-view/new-live-view.ts'
import { newLogger } from '../new-logger.ts'
import type { Terminal } from '../terminal.ts'
import { printSession } from './session-commands.ts'
import type { SessionRecord } from './session-record.ts'

/**
 * What is said before the live view is there goes to the terminal, afterwards into the view. With `--log-format json`, everything is a line of
 * the log.
 */
export class Screen {
  readonly #invocation: Invocation
  readonly #isJson: boolean
  readonly logger: Logger
  view: LiveView | undefined

  constructor(invocation: Invocation) {
    this.#invocation = invocation
    this.#isJson = invocation.given('log-format') === 'json'
    const { terminal } = invocation
    this.logger = newLogger(invocation, (text) => (this.#isJson ? terminal.err(text) : this.say(text)))
  }

  /** The terminal for those who know nothing of the view: what they say beside their results is said here. */
  get terminal(): Terminal {
    const { out, environment, interactive, color, stopped } = this.#invocation.terminal
    const paints = color && !this.#isJson
    return { out, environment, interactive, color: paints, stopped, err: (text) => this.say(text) }
  }

  /** Programs get one line and need no view. */
  start(session: SessionRecord, options: Omit<LiveViewOptions, 'clock'>): void {
    const { terminal, given } = this.#invocation
    if (given('output') === 'json') terminal.out(printSession(session))
    else if (this.#isJson) this.view = new JsonView({ ...options, ...this.#loggers() })
    else this.view = newLiveView(terminal, { clock: systemClock, ...options })
  }

  say(text: string): void {
    if (text === '') return
    if (this.view) this.view.say(text)
    else if (this.#isJson) this.logger.info(text.trimEnd())
    else this.#invocation.terminal.err(text)
  }

  /** `undefined`: nothing is wrong any more. */
  showProblem(text: string | undefined): void {
    if (this.view) this.view.showProblem(text)
    else if (text !== undefined) this.say(text)
  }

  stop(): void {
    this.view?.stop()
    this.view = undefined
  }

  #loggers(): { readonly results: Logger; readonly logger: Logger } {
    const results = newLogger(this.#invocation, (text) => this.#invocation.terminal.out(text))
    return { results, logger: this.logger }
  }
}
