import { backoffDelay } from '../../core/base/backoff.ts'
import { ApiError } from '../../core/kube/api-error.ts'
import { isSilence, type RelistReason, refusesWatchList, relistReasonOf } from './relist-reason.ts'
import { compareResourceVersions } from './resource-version.ts'

/** How a session ended: a list, a watch, or both. */
export interface SessionEnd {
  /** Whether the server has answered at all. */
  readonly opened: boolean
  /** Whether it delivered something new. */
  readonly progress: boolean
  /** How many milliseconds it lasted. */
  readonly lived: number
}

const PAGE_SIZE = 500
/** Milliseconds from which a session does not count as a failure, no matter what it delivered. */
const LONG_LIFE = 30_000
/** How many streams in a row may deliver nothing before their start version is doubted. */
const MAX_FRUITLESS = 3
/** How many lists in a row may be older than what is known before the server is believed: its data was restored. */
const MAX_REGRESSIONS = 3
/** How many streamed lists in a row may fail before pages are tried. */
const MAX_STREAMED = 3

/** Decides, from how sessions end, when the next one begins and whether it lists before it watches. */
export class ReconnectPolicy {
  /** Why the next session lists; `undefined` when it resumes the watch. */
  relist: RelistReason | undefined = 'first'
  /** How many objects a page has; `undefined`: all. */
  pageSize: number | undefined = PAGE_SIZE
  /**
   * Whether the next session first checks that the server is not behind what is known. It is if its data was restored: then it accepts a watch
   * from a future version and delivers nothing until it reaches that version.
   */
  confirms = false
  readonly #random: () => number
  #knowsWatchList = true
  #failures = 0
  #listFailures = 0
  #fruitless = 0
  #regressions = 0

  constructor(random: () => number) {
    this.#random = random
  }

  /** Whether to request the list as a stream. After a check of the cache, pages may show what streams have missed. */
  get streamsList(): boolean {
    return this.#knowsWatchList && this.relist !== 'inconsistent' && this.#listFailures < MAX_STREAMED
  }

  /** Whether a list of `version` may replace what is known at `known`. */
  accepts(version: string, known: string): boolean {
    const order = compareResourceVersions(version, known)
    return order === undefined || order >= 0 || ++this.#regressions >= MAX_REGRESSIONS
  }

  /** Notes that a list was accepted. */
  listed(): void {
    this.relist = undefined
    this.pageSize = PAGE_SIZE
    this.#regressions = 0
    this.#listFailures = 0
    this.confirms = false
    this.advanced()
  }

  /** Notes that something new was delivered. */
  advanced(): void {
    this.#failures = 0
    this.#fruitless = 0
  }

  /** Milliseconds until the next session. */
  afterOrderlyEnd(end: SessionEnd): number {
    if (end.lived >= LONG_LIFE) {
      this.advanced()
      return 0
    }
    this.#countFruitless(end)
    return this.#backoff()
  }

  /** Milliseconds until the next session. */
  afterFailure(error: unknown, end: SessionEnd): number {
    if (this.relist) this.#listFailures++
    if (this.relist && this.#knowsWatchList && refusesWatchList(error)) {
      this.#knowsWatchList = false
      return 0
    }
    if (isSilence(error) || isWithoutAnswer(error)) this.confirms = true
    if (isSilence(error)) return 0
    const reason = relistReasonOf(error)
    if (reason === 'expired' && this.relist) this.pageSize = undefined
    if (reason) this.#startOver(reason)
    else if (end.opened || isAnsweredAlike(error)) this.#countFruitless(end)
    const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0
    return Math.max(asked, this.#backoff())
  }

  /** Makes the next session list. The server has answered, so the first list need not wait as long as one after failures. */
  #startOver(reason: RelistReason): void {
    if (!this.relist) this.#failures = 0
    this.relist ??= reason
  }

  /** Counts streams that end soon without events: the server may never serve their start version again. */
  #countFruitless({ progress, lived }: SessionEnd): void {
    if (progress || lived >= LONG_LIFE) return
    if (++this.#fruitless >= MAX_FRUITLESS) this.relist ??= 'fruitless'
  }

  #backoff(): number {
    return backoffDelay(this.#failures++, { base: 1600, max: 30_000, random: this.#random })
  }
}

/** Whether the connection was lost. Behind the next one there may be another server. */
function isWithoutAnswer(error: unknown): boolean {
  return error instanceof ApiError && error.httpStatus === 0
}

/** Whether the server may give the same error to the same request for ever. */
function isAnsweredAlike(error: unknown): boolean {
  return error instanceof ApiError && [400, 422, 500].includes(error.httpStatus)
}
