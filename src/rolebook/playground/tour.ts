import type { ResourceDetails } from '../ui/model.ts'
import type { ClusterState, DiagnosticView, ObjectView, ProjectTexts, WriteView } from './protocol.ts'

/** What a tour looks at: the cluster and what the page shows of it. */
export interface TourSight {
  readonly cluster: ClusterState | undefined
  /** The latest first. */
  readonly writes: readonly WriteView[]
  readonly diagnostics: readonly DiagnosticView[]
  /** Of the resource that is open. */
  readonly details: ResourceDetails | undefined
}

/** How far a person is. */
export interface TourProgress {
  readonly step: number
  /** The number of the last write before the step began. */
  readonly since: number
}

/** One thing to do. */
export interface TourStep {
  readonly title: string
  /** What to do. Code stands between backticks. */
  readonly text: string
  /** Selectors of the control to use, and of those that lead to it, the last one first. The first that is shown is meant. */
  readonly controls: readonly string[]
  /** What has happened then. */
  readonly outcome: string
  isDone(sight: TourSight, since: number): boolean
}

/** The project of the tour is this one of the page, and one more resource. */
export const TOUR_ROLE = 'role memcached'
export const TOUR_BEGIN: TourProgress = { step: 0, since: 0 }

const FIRST = 'memcached-sample'
const SECOND = 'memcached-second'
const ROLE = 'roles/memcached/role.yaml'
const SAMPLE = 'roles/memcached/samples/memcached.yaml'
const OPERATOR = 'rolebook'
const REPLICAS = 'spec.replicas'

export function tourFiles(files: ProjectTexts): ProjectTexts {
  const second = (files[SAMPLE] ?? '').replace(FIRST, SECOND).replace('size: 3', 'size: 2')
  return { ...files, 'roles/memcached/samples/second.yaml': second }
}

/** One step further if that step is done: what happened in the cluster decides, and no button does. */
export function advanceTour(progress: TourProgress, sight: TourSight): TourProgress {
  const { step, since } = progress
  if (!TOUR_STEPS[step]?.isDone(sight, since)) return progress
  return { step: step + 1, since: sight.writes[0]?.number ?? 0 }
}

const WHOLE_PAGE = '.is-panes button:not([aria-pressed="true"])'
const view = (name: string): string => `.is-views button[data-view="${name}"]:not([aria-pressed="true"])`
const file = (path: string): string => `.file[aria-label^="${path}"]:not([aria-current])`
const inEditor = (path: string): readonly string[] => [file(path), '.editor', WHOLE_PAGE]
const onObject = (label: string): readonly string[] => [`[aria-label="${label}"]`, view('Objects'), WHOLE_PAGE]

/** The five minutes of the README. */
export const TOUR_STEPS: readonly TourStep[] = [
  {
    title: 'Look',
    text: `Two resources of the kind Memcached are in the cluster. Under Resources, choose \`default/${SECOND}\`.`,
    controls: [`.rows button[data-name="${SECOND}"]`, view('Resources'), WHOLE_PAGE],
    outcome: 'The graph shows what the role makes of the resource: a Deployment, and its Pods.',
    isDone: ({ details }) => details?.row.name === SECOND && details.row.ready === 'True',
  },
  {
    title: 'Change what you want',
    text: `Open \`${SAMPLE}\` and set \`size: 5\`. The page takes a text over when you pause.`,
    controls: inEditor(SAMPLE),
    outcome: 'The operator has scaled the Deployment, and its new Pods are ready.',
    isDone: ({ cluster, writes }, since) => {
      const scaled = replicaWrites(writes, since).find(isByOperator)
      const deployment = deploymentOf(FIRST, cluster)
      // A write may be known before the cluster that it leads to.
      const isSeen = scaled !== undefined && replicasIn(scaled) === String(deployment?.replicas)
      return isSeen && deployment?.health === 'ready'
    },
  },
  {
    title: 'Change it by hand',
    text: `Under Objects, press − beside Deployment \`default/${FIRST}\`, as \`kubectl scale\` would.`,
    controls: onObject(`Scale Deployment default/${FIRST} down`),
    outcome: 'The operator has put it back. Under Writes you see who wrote what.',
    isDone: ({ writes }, since) => {
      const inOrder = replicaWrites(writes, since).toReversed()
      const byHand = inOrder.findIndex((write) => !isByOperator(write))
      return byHand !== -1 && inOrder.slice(byHand + 1).some(isByOperator)
    },
  },
  {
    title: 'Change the operator',
    text: `Open \`${ROLE}\`. Below \`name: \${metadata.name}\` of the Deployment, add the line \`labels: { tier: web }\`.`,
    controls: inEditor(ROLE),
    outcome: 'Every Memcached has followed, with one write each. Nothing was compiled or restarted.',
    isDone: ({ cluster, writes }, since) => {
      const written = writes.filter((write) => write.number > since && isByOperator(write) && isDeployment(write))
      const rows = cluster?.rows ?? []
      return rows.length > 0 && rows.every(({ name }) => written.some(({ object }) => object.name === name))
    },
  },
  {
    title: 'Make a mistake',
    text: `In \`${ROLE}\`, write \`ensur:\` in place of \`ensure:\`.`,
    controls: inEditor(ROLE),
    outcome: 'The page names the file, the line and the remedy. In the cluster, the last good version goes on.',
    isDone: ({ diagnostics }) => diagnostics.some(isError),
  },
  {
    title: 'Mend it',
    text: 'Press Replace with ensure below the text, or write `ensure:` again.',
    controls: ['.problems .fix', ...inEditor(ROLE)],
    outcome: 'The operator uses your role again.',
    isDone: ({ diagnostics }) => !diagnostics.some(isError),
  },
  {
    title: 'Delete a resource',
    text: `Under Objects, press Delete beside Memcached \`default/${SECOND}\`.`,
    controls: onObject(`Delete Memcached default/${SECOND}`),
    outcome: 'The resource is gone, and so is everything that the role had made for it.',
    isDone: ({ cluster }) => cluster?.objects.every(({ name }) => !name.startsWith(SECOND)) === true,
  },
]

/** Changes of how many Pods the first resource has. */
function replicaWrites(writes: readonly WriteView[], since: number): readonly WriteView[] {
  return writes.filter((write) => {
    const isOfFirst = isDeployment(write) && write.object.name === FIRST
    return write.number > since && isOfFirst && write.fields.some(({ field }) => field === REPLICAS)
  })
}

function isByOperator({ by }: WriteView): boolean {
  return by === OPERATOR
}

/** As JSON. `undefined`: the write removes the field. */
function replicasIn({ fields }: WriteView): string | undefined {
  return fields.find(({ field }) => field === REPLICAS)?.to
}

function isDeployment({ object }: WriteView): boolean {
  return object.kind === 'Deployment'
}

function deploymentOf(name: string, cluster: ClusterState | undefined): ObjectView | undefined {
  return cluster?.objects.find((object) => object.kind === 'Deployment' && object.name === name)
}

function isError({ severity }: DiagnosticView): boolean {
  return severity === 'error'
}
