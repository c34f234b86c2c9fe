import { isAbsolute, normalize } from 'node:path'

/** What stands above everything else. */
export interface Heading {
  /** Where the API server listens. */
  readonly url: string
  /** Lines to copy into another terminal. */
  readonly commands: readonly string[]
  /** What runs, and what becomes of it at the end. */
  readonly note: string
}

export interface HeadingOptions {
  readonly kubeconfig: string
  readonly data: string | undefined
  /** Whether a terminal shows it, in which a key stops it. In the background another command does. */
  readonly hasTerminal: boolean
  readonly runs: 'operator' | 'cluster' | 'API server'
  /** Whether an operator would run if there were a project. */
  readonly lacksProject: boolean
  /** What kubectl calls the kinds of the project, such as `memcacheds`. */
  readonly kinds: readonly string[]
  /** Where the dashboard is. Absent: there is none. */
  readonly dashboard?: string | undefined
}

/** Columns of a line to copy: it fits the smallest usual screen. */
const COLUMNS = 76

export function headingOf(
  url: string,
  { kubeconfig, data, kinds, dashboard, hasTerminal, ...what }: HeadingOptions,
): Heading {
  const path = isAbsolute(kubeconfig) ? kubeconfig : `$PWD/${normalize(kubeconfig)}`
  const stop = hasTerminal ? 'Ctrl-C' : "'rolebook sandbox stop'"
  return {
    url,
    commands: [`export KUBECONFIG=${path}`, kubectlLine(kinds)],
    note: `${dashboard === undefined ? '' : `Dashboard at ${dashboard}. `}${whatRuns(what)} ${stop} stops${data === undefined ? ' and forgets everything' : `; the state stays in ${data}`}.`,
  }
}

export function printHeading({ url, commands, note }: Heading): string {
  const lines = commands.map((command) => `  ${command}`)
  return [`Kubernetes API at ${url}. In another terminal:`, '', ...lines, '', note].join('\n')
}

/** The kinds of the project, as many as fit, and what roles make most. */
function kubectlLine(kinds: readonly string[]): string {
  const lineOf = (count: number): string => `kubectl get ${[...kinds.slice(0, count), 'deployments', 'pods'].join()}`
  if (kinds.length === 0) return 'kubectl get crds,deployments,pods,services'
  let count = kinds.length
  while (count > 1 && lineOf(count).length > COLUMNS) count--
  return lineOf(count)
}

function whatRuns({ runs, lacksProject }: Pick<HeadingOptions, 'runs' | 'lacksProject'>): string {
  if (runs === 'operator') return 'Edit watches.yaml, roles and samples: the cluster follows.'
  if (runs === 'API server') return 'It is the API server alone: no controller runs.'
  const remedy = lacksProject ? ": this folder has no watches.yaml ('rolebook init' writes one)" : ''
  return `No operator runs${remedy}.`
}
