import { backoffDelay } from '../../core/base/backoff.ts'
import { ApiError } from '../../core/kube/api-error.ts'
import { isSilence, type RelistReason, refusesWatchList, relistReasonOf } from './relist-reason.ts'
import { compareResourceVersions } from './resource-version.ts'

/** How one session, a list or a watch or both, came to its end. */
export interface SessionEnd {
  /** The server answered with anything at all. */
  readonly opened: boolean
  /** It brought us forward. */
  readonly progress: boolean
  /** Milliseconds from its beginning. */
  readonly lived: number
}

const PAGE_SIZE = 500
/** A session that lived this long is no failure, whatever it delivered. */
const LONG_LIFE = 30_000
/** Streams in a row that opened and delivered nothing, after which the version they start from is doubted. */
const MAX_FRUITLESS = 3
/** Lists in a row that are older than what is known, after which the server is believed: its data was restored. */
const MAX_REGRESSIONS = 3
/** Streamed lists in a row that failed, after which pages are tried. */
const MAX_STREAMED = 3

/** Decides, from how sessions end, when the next one begins and whether it lists before it watches. */
export class ReconnectPolicy {
  /** Why the next session lists; `undefined` when it resumes the watch. */
  relist: RelistReason | undefined = 'first'
  /** Objects a page; `undefined`: all at once. */
  pageSize: number | undefined = PAGE_SIZE
  /**
   * Whether the next session makes sure that the server has not gone back behind what is known, as it has when its data was
   * restored: it serves a watch from a version that is yet to come, and keeps everything back until then.
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

  /** Whether to ask for the list as a stream. Periodic lists take the other way, which may see what a stream does not. */
  get streamsList(): boolean {
    return this.#knowsWatchList && this.relist !== 'periodic' && this.#listFailures < MAX_STREAMED
  }

  /** Whether a list of `version` may replace what is known at `known`. */
  accepts(version: string, known: string): boolean {
    const order = compareResourceVersions(version, known)
    return order === undefined || order >= 0 || ++this.#regressions >= MAX_REGRESSIONS
  }

  /** A list was taken over. */
  listed(): void {
    this.relist = undefined
    this.pageSize = PAGE_SIZE
    this.#regressions = 0
    this.#listFailures = 0
    this.confirms = false
    this.advanced()
  }

  /** Something new was delivered. */
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
    if (isSilence(error)) return 0
    if (isWithoutAnswer(error)) this.confirms = true
    const reason = relistReasonOf(error)
    if (reason === 'expired' && this.relist) this.pageSize = undefined
    if (reason) this.#startOver(reason)
    else if (end.opened || isAnsweredAlike(error)) this.#countFruitless(end)
    const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0
    return Math.max(asked, this.#backoff())
  }

  /** The server has answered, so the first new list need not wait as long as one that failed before. */
  #startOver(reason: RelistReason): void {
    if (!this.relist) this.#failures = 0
    this.relist ??= reason
  }

  /** Counts streams that open, and end soon with nothing: the version that they resume at may never be served again. */
  #countFruitless({ progress, lived }: SessionEnd): void {
    if (progress || lived >= LONG_LIFE) return
    if (++this.#fruitless >= MAX_FRUITLESS) this.relist ??= 'fruitless'
  }

  #backoff(): number {
    return backoffDelay(this.#failures++, { base: 1600, max: 30_000, random: this.#random })
  }
}

/** The connection is lost, and perhaps with it the server that we knew. */
function isWithoutAnswer(error: unknown): boolean {
  return error instanceof ApiError && error.httpStatus === 0
}

/** An error that the server may give to the same request for ever. */
function isAnsweredAlike(error: unknown): boolean {
  return error instanceof ApiError && [400, 422, 500].includes(error.httpStatus)
}
