import type { ResourceDetails } from '../../ui/model.ts'
import type { ClusterState, DiagnosticView, ProjectTexts, TestView, TextRange, WriteView } from '../protocol.ts'
import type { TourProgress } from '../tour.ts'
import type { ShippedProject } from './asked-project.ts'

export interface PageState {
  readonly shipped: readonly ShippedProject[]
  /** Of the shipped project that is open. Empty: it came by a link. */
  readonly name: string
  readonly files: ProjectTexts
  /** As it was opened, before a person changed it. */
  readonly original: ProjectTexts
  /** The path of the file in the editor. */
  readonly file: string
  /** Counts the projects that were opened: the editor takes its text from `files` then. */
  readonly revision: number
  /** Counts how often the page itself has written texts: the editor takes them over. */
  readonly written: number
  /** What a person is taken to in the editor. */
  readonly cursor: TextRange | undefined
  /** What the last deletion took away. */
  readonly removed: ProjectTexts | undefined
  readonly diagnostics: readonly DiagnosticView[]
  readonly cluster: ClusterState | undefined
  /** The latest first. */
  readonly writes: readonly WriteView[]
  /** The uid of the resource that is open. */
  readonly selected: string | undefined
  readonly details: ResourceDetails | undefined
  readonly tests: readonly TestView[] | 'running' | undefined
  readonly isTourShown: boolean
  /** Absent: another project than that of the tour is open. */
  readonly tour: TourProgress | undefined
  /** What a person should know now. */
  readonly message: string
}

export const START: PageState = {
  ...{ shipped: [], name: '', files: {}, original: {}, file: '', revision: 0, removed: undefined },
  ...{ written: 0, cursor: undefined, diagnostics: [], cluster: undefined, writes: [] },
  ...{ selected: undefined, details: undefined, tests: undefined, isTourShown: false, tour: undefined },
  message: 'Starting the cluster…',
}
