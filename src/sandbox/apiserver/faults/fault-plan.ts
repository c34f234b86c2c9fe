import type { JsonObject } from '../../../core/base/json.ts'

/** What is to go wrong with which requests. Of several rules that fit a request, the first one counts. */
export interface FaultPlan {
  /** The same seed gives the same choices in the same order of requests. */
  readonly seed: number
  readonly rules: readonly FaultRule[]
}

export interface FaultRule {
  readonly when: FaultCondition
  readonly do: FaultAction
}

/** Which requests: what is absent fits all of them. */
export interface FaultCondition {
  /** As in RBAC: get, list, watch, create, update, patch, delete, deletecollection. */
  readonly verbs?: readonly string[] | undefined
  readonly group?: string | undefined
  /** The plural. */
  readonly resource?: string | undefined
  /** Empty: the resource itself and none of its subresources. */
  readonly subresource?: string | undefined
  readonly namespace?: string | undefined
  readonly name?: string | undefined
  /** A part of it. */
  readonly userAgent?: string | undefined
  /** Of the requests that fit so far: only these, counted from 1. */
  readonly matches?: readonly number[] | undefined
  /** Each n-th of them. */
  readonly every?: number | undefined
  /** At most the first n of them. */
  readonly first?: number | undefined
  /** From 0 to 1; decided after all else. */
  readonly probability?: number | undefined
}

export interface FaultAction {
  /** Milliseconds before anything else happens. */
  readonly latency?: number | undefined
  /** Answered in place of the server. */
  readonly reply?: FaultReply | undefined
  /** The connection is cut: before the request was served, or after it was and before its answer. */
  readonly drop?: 'before' | 'after' | undefined
  /** The answer is cut after so many bytes of its body. */
  readonly truncate?: number | undefined
  /** Nothing more comes, and the connection stays: before the request was served, or after so many bytes of its answer. */
  readonly stall?: 'before' | number | undefined
  /** 410: the version, or the token of a page, is too old. */
  readonly expire?: boolean | undefined
  /** Of a watch that goes on otherwise. */
  readonly watch?: WatchFault | undefined
}

export interface FaultReply {
  readonly code: number
  readonly body: JsonObject
  /** Seconds, for the header. */
  readonly retryAfter?: number | undefined
}

/** Frames are counted from 1; bookmarks count, too. */
export interface WatchFault {
  /** Ends after so many frames. */
  readonly closeAfter?: number | undefined
  /** Says nothing more after so many frames, and stays open. */
  readonly freezeAfter?: number | undefined
  /** Ends after so many frames with an ERROR event of 410. */
  readonly expireAfter?: number | undefined
  readonly suppressBookmarks?: boolean | undefined
  /** Each n-th frame comes twice. */
  readonly duplicateEvery?: number | undefined
  /** Each n-th frame comes after the one behind it. */
  readonly swapEvery?: number | undefined
  /** Milliseconds that each frame is late. */
  readonly delay?: number | undefined
}
