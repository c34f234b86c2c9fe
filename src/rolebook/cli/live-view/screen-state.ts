import type { Heading } from './heading.ts'
import type { ResourceRow } from './resource-row.ts'

export interface Size {
  readonly columns: number
  readonly rows: number
}

/** In which order resources stand. `readiness`: those that are not ready first. `changed`: the last change first. */
export type Order = 'readiness' | 'name' | 'changed'

/** What has been opened over the list. `scroll` counts lines; `Infinity` is the end, also of what is still to come. */
export type Page =
  | { readonly kind: 'details'; readonly resource: string; readonly lines: readonly string[]; readonly scroll: number }
  | { readonly kind: 'messages'; readonly scroll: number }
  | { readonly kind: 'help'; readonly scroll: number }

/** Everything that the screen shows: the same state is the same screen. */
export interface ScreenState {
  readonly size: Size
  /** Whether keys arrive: standard input is a terminal. */
  readonly hasKeys: boolean
  readonly heading: Heading
  readonly resources: ReadonlyMap<string, ResourceRow>
  /** What is wrong with the project now, the first mistake first. Empty: nothing is. */
  readonly problem: readonly string[]
  readonly log: readonly string[]
  readonly page: Page | undefined
  /** The key of a resource. `undefined`: the first of the list, whichever that is. */
  readonly selected: string | undefined
  /** The first line of the list that is on the screen. */
  readonly top: number
  readonly filter: string
  /** Whether the filter is being typed. */
  readonly isTyping: boolean
  readonly order: Order
  readonly isGrouped: boolean
  readonly isStopping: boolean
}

/** What happens to the screen. */
export type ScreenEvent =
  | { readonly type: 'key'; readonly name: string }
  | { readonly type: 'resized'; readonly size: Size }
  /** `undefined`: the resource is gone. */
  | { readonly type: 'resources'; readonly changes: ReadonlyMap<string, ResourceRow | undefined> }
  | { readonly type: 'said'; readonly text: string }
  | { readonly type: 'problem'; readonly text: string | undefined }
  | { readonly type: 'details'; readonly resource: string; readonly lines: readonly string[] }
  | { readonly type: 'stopping' }

export function newScreenState(given: Pick<ScreenState, 'size' | 'hasKeys' | 'heading'>): ScreenState {
  return {
    ...given,
    resources: new Map(),
    problem: [],
    log: [],
    page: undefined,
    selected: undefined,
    top: 0,
    filter: '',
    isTyping: false,
    order: 'readiness',
    isGrouped: false,
    isStopping: false,
  }
}
