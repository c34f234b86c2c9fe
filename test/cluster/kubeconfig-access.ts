import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { ServerAccess } from '../../src/sandbox/cluster/kubeconfig.ts'

/** The access that a kubeconfig of a sandbox gives. */
export function accessOf(kubeconfig: string): ServerAccess {
  const { clusters, users } = parse(readFileSync(kubeconfig, 'utf8'))
  const { server: url, 'certificate-authority-data': ca } = clusters[0].cluster
  return { url, token: users[0].user.token, ca: Buffer.from(ca, 'base64').toString() }
}
