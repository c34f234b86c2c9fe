import {
  bitString,
  boolean,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  tagged,
  utcTime,
  utf8String,
} from './der.ts'

/** What a TLS server on loopback needs; all in memory, new at every start. */
export interface ServerCertificate {
  /** PEM. */
  readonly key: string
  readonly certificate: string
  /** What clients are to trust. */
  readonly ca: string
}

const YEAR = 365 * 24 * 3600 * 1000

/** A certificate for 127.0.0.1 and localhost, signed by a new authority. `now` is wall time: TLS clients check it. */
export async function createServerCertificate(now: number): Promise<ServerCertificate> {
  const [authority, server] = await Promise.all([createKeys(), createKeys()])
  const issuer = { name: 'rolebook-sandbox-ca', key: authority.privateKey }
  const validity = sequence(utcTime(new Date(now - YEAR)), utcTime(new Date(now + 10 * YEAR)))
  const [ca, certificate] = await Promise.all([
    sign(issuer, { subject: issuer.name, publicKey: authority.publicKey, validity, extensions: authorityExtensions() }),
    sign(issuer, { subject: 'kube-apiserver', publicKey: server.publicKey, validity, extensions: serverExtensions() }),
  ])
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', server.privateKey))
  return { key: pem('PRIVATE KEY', key), certificate: pem('CERTIFICATE', certificate), ca: pem('CERTIFICATE', ca) }
}

type Keys = Awaited<ReturnType<typeof createKeys>>

interface Issuer {
  readonly name: string
  readonly key: Keys['privateKey']
}

interface Request {
  readonly subject: string
  readonly publicKey: Keys['publicKey']
  readonly validity: Buffer
  readonly extensions: Buffer
}

function createKeys() {
  return crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
}

/** X.509 version 3 (RFC 5280). */
async function sign(issuer: Issuer, { subject, publicKey, validity, extensions }: Request): Promise<Buffer> {
  const version = tagged(0, integer(Buffer.of(2)), 'constructed')
  const serial = integer(crypto.getRandomValues(new Uint8Array(16)))
  const keyInfo = Buffer.from(await crypto.subtle.exportKey('spki', publicKey))
  const extensionsField = tagged(3, extensions, 'constructed')
  const names = [nameOf(issuer.name), validity, nameOf(subject)]
  const body = sequence(version, serial, ECDSA_WITH_SHA256, ...names, keyInfo, extensionsField)
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, issuer.key, Uint8Array.from(body))
  return sequence(body, ECDSA_WITH_SHA256, bitString(derSignature(new Uint8Array(signature))))
}

const ECDSA_WITH_SHA256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'))
const COMMON_NAME = objectIdentifier('2.5.4.3')

function nameOf(commonName: string): Buffer {
  return sequence(set(sequence(COMMON_NAME, utf8String(commonName))))
}

/** Web Crypto signs with two bare numbers, certificates hold them as a sequence. */
function derSignature(raw: Uint8Array): Buffer {
  const half = raw.length / 2
  return sequence(integer(raw.subarray(0, half)), integer(raw.subarray(half)))
}

const BASIC_CONSTRAINTS = '2.5.29.19'
const KEY_USAGE = '2.5.29.15'
const EXTENDED_KEY_USAGE = '2.5.29.37'
const SUBJECT_ALT_NAME = '2.5.29.17'
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'

function authorityExtensions(): Buffer {
  const signsCertificates = bitString(Buffer.of(0b0000_0110), 1)
  return sequence(critical(BASIC_CONSTRAINTS, sequence(boolean(true))), critical(KEY_USAGE, signsCertificates))
}

function serverExtensions(): Buffer {
  const hosts = ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc']
  const names = hosts.map((name) => tagged(2, Buffer.from(name), 'primitive'))
  const address = tagged(7, Buffer.of(127, 0, 0, 1), 'primitive')
  return sequence(
    critical(KEY_USAGE, bitString(Buffer.of(0b1000_0000), 7)),
    extension(EXTENDED_KEY_USAGE, sequence(objectIdentifier(SERVER_AUTH))),
    extension(SUBJECT_ALT_NAME, sequence(address, ...names)),
  )
}

function critical(identifier: string, value: Buffer): Buffer {
  return sequence(objectIdentifier(identifier), boolean(true), octetString(value))
}

function extension(identifier: string, value: Buffer): Buffer {
  return sequence(objectIdentifier(identifier), octetString(value))
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}
