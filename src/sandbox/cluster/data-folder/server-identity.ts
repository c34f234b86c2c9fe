import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../../core/base/clock.ts'
import { randomHex } from '../../../core/base/hash.ts'
import { isJsonObject, type JsonValue } from '../../../core/base/json.ts'
import { createServerCertificate, type ServerCertificate } from '../../apiserver/http/certificates.ts'
import { damagedFile } from './damaged-data-error.ts'
import { unfinishedPath } from './data-files.ts'

/** By what clients know a server: as long as it stays the same, so do their kubeconfigs. */
export interface ServerIdentity {
  readonly token: string
  readonly certificate: ServerCertificate
  /** When the certificate was made, in milliseconds since 1970. */
  readonly made: number
  /** 0 when it never listened. */
  readonly port: number
}

const NAME = 'access.json'
const VERSION = 1
const DAY = 24 * 3600 * 1000
/** Long before the certificates end, which last ten years. */
const MAX_AGE = 9 * 365 * DAY

/**
 * The identity that a folder keeps; a new one when there is none, or when its certificates come to their end.
 *
 * @throws DamagedDataError
 */
export async function loadIdentity(folder: string, clock: Clock): Promise<ServerIdentity> {
  const path = join(folder, NAME)
  if (existsSync(path)) {
    const identity = readIdentity(path)
    if (clock.now() - identity.made < MAX_AGE) return identity
  }
  const made = clock.now()
  const identity = { token: randomHex(16), certificate: await createServerCertificate(made), made, port: 0 }
  saveIdentity(folder, identity)
  return identity
}

/** Only its owner may read it: it holds a key and a token. */
export function saveIdentity(folder: string, identity: ServerIdentity): void {
  const path = join(folder, NAME)
  const file = openSync(unfinishedPath(path), 'w', 0o600)
  writeSync(file, `${JSON.stringify({ version: VERSION, ...identity }, null, 2)}\n`)
  fsyncSync(file)
  closeSync(file)
  renameSync(unfinishedPath(path), path)
}

function readIdentity(path: string): ServerIdentity {
  const value = parse(readFileSync(path, 'utf8'))
  const isWhole = isJsonObject(value) && value.version === VERSION && isJsonObject(value.certificate)
  if (!isWhole || typeof value.token !== 'string' || typeof value.port !== 'number' || typeof value.made !== 'number') {
    throw damagedFile(path, 'it does not hold what it should; without it a new token and certificate are made')
  }
  const certificate = value.certificate as unknown as ServerCertificate
  return { token: value.token, port: value.port, made: value.made, certificate }
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
