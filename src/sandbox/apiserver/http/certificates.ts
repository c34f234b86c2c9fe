import type * as X509 from '@peculiar/x509'

/** What a TLS server on loopback needs; all in memory, new at every start. */
export interface ServerCertificate {
  /** PEM. */
  readonly key: string
  readonly certificate: string
  /** What clients are to trust. */
  readonly ca: string
  /** Of the authority, in PEM: signs certificates of clients. Absent: nothing is signed. */
  readonly caKey?: string | undefined
}

const YEAR = 365 * 24 * 3600 * 1000
const KEYS = { name: 'ECDSA', namedCurve: 'P-256' }
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' }
const ISSUER = 'CN=rolebook-sandbox-ca'
const HOSTS = ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc']

/** Whom a certificate is for. */
export interface CertificateNames {
  /** Of the server. */
  readonly name: string
  readonly issuer: string
  /** Besides 127.0.0.1. */
  readonly hosts: readonly string[]
}

const SANDBOX: CertificateNames = { name: 'kube-apiserver', issuer: ISSUER, hosts: HOSTS }

/** A certificate for 127.0.0.1 and the hosts, signed by a new authority. `now` is wall time: TLS clients check it. */
export async function createServerCertificate(now: number, names = SANDBOX): Promise<ServerCertificate> {
  const x509 = await loadLibrary()
  const [authority, server] = await Promise.all([createKeys(), createKeys()])
  const validity = { notBefore: new Date(now - YEAR), notAfter: new Date(now + 10 * YEAR) }
  const issuer = names.issuer
  const common = { issuer, signingKey: authority.privateKey, signingAlgorithm: SIGNING, ...validity }
  const [ca, certificate] = await Promise.all([
    x509.X509CertificateGenerator.create({
      ...common,
      subject: issuer,
      publicKey: authority.publicKey,
      extensions: authorityExtensions(x509),
    }),
    x509.X509CertificateGenerator.create({
      ...common,
      subject: `CN=${names.name}`,
      publicKey: server.publicKey,
      extensions: serverExtensions(x509, names.hosts),
    }),
  ])
  const pemOf = async ({ privateKey }: typeof server): Promise<string> =>
    x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY')
  const [key, caKey] = await Promise.all([pemOf(server), pemOf(authority)])
  return { key, certificate: certificate.toString('pem'), ca: ca.toString('pem'), caKey }
}

/**
 * A client certificate for the subject and key of a PKCS#10 request, both in PEM. The common name is the user, the
 * organisations are the groups.
 *
 * @throws Error when the request is none, or not signed by its own key
 */
export async function signClientRequest(request: string, caKey: string, times: Validity): Promise<string> {
  const x509 = await loadLibrary()
  const wanted = new x509.Pkcs10CertificateRequest(request)
  if (!(await wanted.verify())) throw new Error('the certificate request is not signed by its own key')
  const [bytes] = x509.PemConverter.decode(caKey)
  const signingKey = await crypto.subtle.importKey('pkcs8', bytes as ArrayBuffer, KEYS, false, ['sign'])
  const certificate = await x509.X509CertificateGenerator.create({
    issuer: ISSUER,
    signingKey,
    signingAlgorithm: SIGNING,
    subject: wanted.subject,
    publicKey: wanted.publicKey,
    extensions: [
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]),
    ],
    notBefore: new Date(times.from),
    notAfter: new Date(times.until),
  })
  return certificate.toString('pem')
}

/** Milliseconds since 1970. */
export interface Validity {
  readonly from: number
  readonly until: number
}

async function loadLibrary(): Promise<typeof X509> {
  const { x509 } = await import('./x509-library.ts')
  return x509
}

function createKeys() {
  return crypto.subtle.generateKey(KEYS, true, ['sign', 'verify'])
}

function authorityExtensions(x509: typeof X509): X509.Extension[] {
  return [
    new x509.BasicConstraintsExtension(true, undefined, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
  ]
}

function serverExtensions(x509: typeof X509, hosts: readonly string[]): X509.Extension[] {
  const names = hosts.map((value) => ({ type: 'dns' as const, value }))
  return [
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    new x509.SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }, ...names]),
  ]
}
