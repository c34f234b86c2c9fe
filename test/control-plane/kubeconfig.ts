import type { SignedKey } from './certificates.ts'

/** A kubeconfig file's text (JSON, which YAML readers read). */
export function kubeconfigText(options: {
  readonly server: string
  /** PEM. */
  readonly ca: string
  readonly user: string
  readonly credentials: SignedKey | { readonly token: string }
  readonly namespace?: string
}): string {
  const { server, ca, user, credentials, namespace } = options
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server, 'certificate-authority-data': base64(ca) } }],
    users: [{ name: user, user: userEntry(credentials) }],
    contexts: [{ name: 'test', context: { cluster: 'test', user, ...(namespace !== undefined && { namespace }) } }],
    'current-context': 'test',
  }
  return `${JSON.stringify(config, null, 2)}\n`
}

function userEntry(credentials: SignedKey | { readonly token: string }): object {
  if ('token' in credentials) return { token: credentials.token }
  return {
    'client-certificate-data': base64(credentials.certificate),
    'client-key-data': base64(credentials.key),
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
