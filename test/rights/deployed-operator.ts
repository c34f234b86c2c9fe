import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { RolebookProcess } from '../support/rolebook-process.ts'
import type { MountedConfig } from './mounted-config.ts'

/** As on a root file system that cannot be written, and with an environment that is empty but for what the Deployment gives. */
const WRITES_NOTHING = '--permission --allow-fs-read=* --allow-worker'

/** The operator as the Deployment of `deploy/` starts it, but for its addresses, which are free ones of this machine. */
export function startAsDeployed(config: MountedConfig, kubeconfig: string): RolebookProcess {
  const { spec } = parse(readFileSync('deploy/deployment.yaml', 'utf8')) as Deployment
  const [{ args, env }] = spec.template.spec.containers
  const here = args.map((one) => one.replace('/etc/rolebook', config.path).replace(/=:\d+$/, '=127.0.0.1:0'))
  const given = Object.fromEntries(env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])))
  const pod = { POD_NAMESPACE: 'rolebook-system', POD_NAME: 'rolebook-0' }
  const environment = { ...given, ...pod, NODE_OPTIONS: WRITES_NOTHING }
  return new RolebookProcess([...here, '--kubeconfig', kubeconfig], { env: environment })
}

interface Deployment {
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly [Container] } }
  }
}

interface Container {
  readonly args: readonly string[]
  readonly env: readonly { readonly name: string; readonly value?: string }[]
}
