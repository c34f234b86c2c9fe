import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export interface ServerAccess {
  readonly url: string
  readonly token: string
  /** Certificate of the authority that signed the server's, in PEM. */
  readonly ca: string
}

/** Writes a kubeconfig for the sandbox; only its owner may read it. */
export function writeKubeconfig(path: string, access: ServerAccess): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, printKubeconfig(access), { mode: 0o600 })
  chmodSync(path, 0o600)
}

/** Removes a kubeconfig, and says whether it did. One that has been written anew since is left alone. */
export function removeKubeconfig(path: string, access: ServerAccess): boolean {
  if (!existsSync(path) || readFileSync(path, 'utf8') !== printKubeconfig(access)) return false
  rmSync(path)
  return true
}

/** JSON is YAML, and kubectl takes it. */
export function printKubeconfig({ url, token, ca }: ServerAccess): string {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'rolebook-sandbox',
    clusters: [
      {
        name: 'rolebook-sandbox',
        cluster: {
          server: url,
          'certificate-authority-data': Buffer.from(ca).toString('base64'),
        },
      },
    ],
    users: [{ name: 'rolebook-sandbox', user: { token } }],
    contexts: [
      {
        name: 'rolebook-sandbox',
        context: {
          cluster: 'rolebook-sandbox',
          user: 'rolebook-sandbox',
          namespace: 'default',
        },
      },
    ],
  }
  return `${JSON.stringify(config, null, 2)}\n`
}
