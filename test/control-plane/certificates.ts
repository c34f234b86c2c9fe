/** Certificates of a control plane on loopback: one authority, who it signed, and the key pair of ServiceAccount tokens. */
import 'reflect-metadata'
import type { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'

export interface SignedKey {
  /** PEM. */
  readonly key: string
  readonly certificate: string
}

const DAY = 24 * 3600 * 1000
const KEYS = { name: 'ECDSA', namedCurve: 'P-256' }
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' }
const HOSTS = ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc']

export class CertificateAuthority {
  readonly #keys: webcrypto.CryptoKeyPair
  readonly #certificate: x509.X509Certificate

  private constructor(keys: webcrypto.CryptoKeyPair, certificate: x509.X509Certificate) {
    this.#keys = keys
    this.#certificate = certificate
  }

  static async create(): Promise<CertificateAuthority> {
    const keys = await createKeys()
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      name: 'CN=rolebook-test-ca',
      keys,
      signingAlgorithm: SIGNING,
      ...validity(),
      extensions: [
        new x509.BasicConstraintsExtension(true, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      ],
    })
    return new CertificateAuthority(keys, certificate)
  }

  /** PEM. */
  get certificate(): string {
    return this.#certificate.toString('pem')
  }

  signServer(): Promise<SignedKey> {
    const names = HOSTS.map((value) => ({ type: 'dns' as const, value }))
    return this.#sign('CN=kube-apiserver', [
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }, ...names]),
    ])
  }

  /** A client certificate: the server takes `CN` as the user's name and each `O` as a group. */
  signUser(name: string, groups: readonly string[] = []): Promise<SignedKey> {
    const subject = [{ CN: [name] }, ...groups.map((group) => ({ O: [group] }))]
    return this.#sign(subject, [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth])])
  }

  async #sign(subject: string | x509.JsonName, extensions: x509.Extension[]): Promise<SignedKey> {
    const keys = await createKeys()
    const certificate = await x509.X509CertificateGenerator.create({
      subject,
      issuer: this.#certificate.subject,
      publicKey: keys.publicKey,
      signingKey: this.#keys.privateKey,
      signingAlgorithm: SIGNING,
      ...validity(),
      extensions,
    })
    return { key: await privatePem(keys), certificate: certificate.toString('pem') }
  }
}

/** What the API server signs ServiceAccount tokens with, and checks them by. */
export async function createTokenKeys(): Promise<{ readonly privateKey: string; readonly publicKey: string }> {
  const keys = await createKeys()
  const publicKey = x509.PemConverter.encode(await crypto.subtle.exportKey('spki', keys.publicKey), 'PUBLIC KEY')
  return { privateKey: await privatePem(keys), publicKey }
}

function createKeys(): Promise<webcrypto.CryptoKeyPair> {
  return crypto.subtle.generateKey(KEYS, true, ['sign', 'verify'])
}

async function privatePem(keys: webcrypto.CryptoKeyPair): Promise<string> {
  return x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY')
}

function validity(): { notBefore: Date; notAfter: Date } {
  const now = Date.now()
  return { notBefore: new Date(now - DAY), notAfter: new Date(now + 365 * DAY) }
}
