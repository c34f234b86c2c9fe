import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createServerCertificate } from '../apiserver/http/certificates.ts'
import type { CertificateSource } from '../runtime/admin-server.ts'

/** The certificate in a folder as Secrets of the type `kubernetes.io/tls` are mounted, whatever it is at the moment. */
export function certificateIn(folder: string): CertificateSource {
  const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8')
  return {
    async current() {
      const [cert, key] = await Promise.all([read('tls.crt'), read('tls.key')])
      return { cert, key }
    },
  }
}

/** A certificate that is made when it is first asked for and lives as long as the process: nobody can check whose it is. */
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
