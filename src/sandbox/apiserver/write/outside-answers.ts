import type { JsonValue } from '../../../core/base/json.ts'

/** What an outsider said, or why nothing came of asking. */
export type OutsideAnswer = { readonly body: JsonValue } | { readonly failure: string }

/** Thrown where a request cannot go on without an answer: once it is there, the request begins anew. */
export class PendingAnswer extends Error {
  readonly arrived: Promise<unknown>

  constructor(arrived: Promise<unknown>) {
    super('an answer from outside is awaited')
    this.arrived = arrived
  }
}

/**
 * What webhooks have said about one request. The write pipeline is synchronous, so a request whose answer is missing is
 * given up before it has changed anything, and started again with what it knows by then. Only a deletion may have begun.
 */
export class OutsideAnswers {
  readonly #answers = new Map<string, OutsideAnswer>()
  readonly #choices = new Map<string, string>()

  /** @throws PendingAnswer */
  get(question: string, ask: () => Promise<OutsideAnswer>): OutsideAnswer {
    const known = this.#answers.get(question)
    if (known) return known
    throw new PendingAnswer(ask().then((answer) => this.#answers.set(question, answer)))
  }

  /** Whether it was answered in an attempt before. */
  has(question: string): boolean {
    return this.#answers.has(question)
  }

  /** What was chosen at random in the first attempt is so in all others. */
  once(what: string, choose: () => string): string {
    const chosen = this.#choices.get(what) ?? choose()
    this.#choices.set(what, chosen)
    return chosen
  }
}
