import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import type { CertificateSource } from '../../engine/runtime/admin-server.ts'
import { createServerCertificate } from '../../sandbox/apiserver/http/certificates.ts'
import { UsageError } from './command.ts'

/**
 * Reads the present certificate in the folder of `--metrics-cert-dir`, which has the layout of a mounted Secret of the type
 * `kubernetes.io/tls`. Rejects with a `UsageError` while there is none.
 */
export function certificateIn(folder: string): CertificateSource {
  const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8')
  return {
    async current() {
      try {
        const [cert, key] = await Promise.all([read('tls.crt'), read('tls.key')])
        checkPair(cert, key)
        return { cert, key }
      } catch (cause) {
        const expected = 'expected a folder with a certificate (tls.crt) and its key (tls.key)'
        const remedy = 'left out, one is made at the start'
        throw new UsageError(`cannot use --metrics-cert-dir "${folder}": ${expected}; ${remedy}`, { cause })
      }
    },
  }
}

/** @throws Error also when the key is that of another certificate */
function checkPair(cert: string, key: string): void {
  // An empty one would count as none: the server would start, and refuse every client.
  if (cert === '' || key === '') throw new Error('one of them is empty')
  createSecureContext({ cert, key })
}

/** A certificate that is made when it is first asked for and lives as long as the process: clients cannot check whose it is. */
export function ownCertificate(now: () => number): CertificateSource {
  let made: ReturnType<CertificateSource['current']> | undefined
  const make = async (): ReturnType<CertificateSource['current']> => {
    const names = { name: 'rolebook', issuer: 'CN=rolebook-ca', hosts: ['localhost'] }
    const { certificate, key } = await createServerCertificate(now(), names)
    return { cert: certificate, key }
  }
  return {
    current() {
      made ??= make()
      return made
    },
  }
}
