import { isAbsolute, normalize } from 'node:path'
import type { Project } from '../../../engine/operator/project.ts'

/** What a sandbox in a folder without one works with. */
export const NO_PROJECT: Project = { hash: '', watches: [], crds: [], samples: [] }

export interface Heading {
  readonly kubeconfig: string
  readonly data: string | undefined
  readonly runs: 'operator' | 'cluster' | 'API server'
  /** Whether an operator would run if there were a project. */
  readonly lacksProject: boolean
}

export function headingOf(url: string, { kubeconfig, data, ...what }: Heading): string {
  const path = isAbsolute(kubeconfig) ? kubeconfig : `$PWD/${normalize(kubeconfig)}`
  return [
    `Kubernetes API at ${url}. In another terminal:`,
    '',
    `  export KUBECONFIG=${path}`,
    '  kubectl get crds,deployments,pods,services',
    '',
    `${whatRuns(what)} Ctrl-C stops${data === undefined ? ' and forgets everything' : `; the state stays in ${data}`}.`,
  ].join('\n')
}

function whatRuns({ runs, lacksProject }: Pick<Heading, 'runs' | 'lacksProject'>): string {
  if (runs === 'operator') return 'Edit watches.yaml, roles and samples: the cluster follows.'
  if (runs === 'API server') return 'It is the API server alone: no controller runs.'
  const remedy = lacksProject ? ": this folder has no watches.yaml ('rolebook init' writes one)" : ''
  return `No operator runs${remedy}.`
}
