import { isAbsolute, normalize } from 'node:path'
import type { Project } from '../../../engine/operator/project.ts'

/** What a sandbox in a folder without one works with. */
export const NO_PROJECT: Project = { hash: '', watches: [], crds: [], samples: [] }

export interface Heading {
  readonly kubeconfig: string
  readonly data: string | undefined
  readonly project: Project
  readonly hasOperator: boolean
}

export function headingOf(url: string, { kubeconfig, data, ...operator }: Heading): string {
  const path = isAbsolute(kubeconfig) ? kubeconfig : `$PWD/${normalize(kubeconfig)}`
  return [
    `Kubernetes API at ${url}. In another terminal:`,
    '',
    `  export KUBECONFIG=${path}`,
    '  kubectl get crds,deployments,pods,services',
    '',
    `${whatRuns(operator)} Ctrl-C stops${data === undefined ? ' and forgets everything' : `; the state stays in ${data}`}.`,
  ].join('\n')
}

function whatRuns({ project, hasOperator }: Pick<Heading, 'project' | 'hasOperator'>): string {
  if (hasOperator) return 'Edit watches.yaml, roles and samples: the cluster follows.'
  const remedy = project === NO_PROJECT ? ": this folder has no watches.yaml ('rolebook init' writes one)" : ''
  return `No operator runs${remedy}.`
}
