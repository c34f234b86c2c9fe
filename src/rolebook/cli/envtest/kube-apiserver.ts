import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../../core/base/clock.ts'
import type { Logger } from '../../../core/base/logger.ts'
import { untilAborted } from '../../../core/base/until-aborted.ts'
import { parseYamlBody } from '../../../core/yaml/parse-body.ts'
import { printBody } from '../../../core/yaml/print-body.ts'
import { parseTokenFile } from '../../../sandbox/apiserver/access/token-file.ts'
import { ApiServer, type ApiServerOptions, type AuthorizationMode } from '../../../sandbox/apiserver/api-server.ts'
import { createServerCertificate, type ServerCertificate } from '../../../sandbox/apiserver/http/certificates.ts'
import { parseServiceRange, type ServiceRange } from '../../../sandbox/apiserver/kinds/service/service-range.ts'
import { ENVTEST } from '../../../sandbox/cluster/envtest.ts'
import { loadBuiltinSchemas } from '../../../sandbox/cluster/load-builtin-schemas.ts'
import { UsageError } from '../command.ts'
import { readTextFile } from '../read-text-file.ts'
import type { ProgramFlags } from './program-flags.ts'

const DEFAULT_PORT = 6443

/** The flags that have an effect. */
export const APISERVER_FLAGS: Readonly<Record<string, string>> = {
  'authorization-mode': 'RBAC asks roles and bindings; any other lets everybody do everything',
  'cert-dir': 'holds apiserver.crt and apiserver.key, which are made when they are missing',
  'client-ca-file': 'whose client certificates count',
  'disable-admission-plugins': 'only ServiceAccount can be off',
  'secure-port': `on 127.0.0.1 (${DEFAULT_PORT})`,
  'service-cluster-ip-range': 'the addresses of Services (10.0.0.0/24)',
  'tls-cert-file': 'instead of that in the cert-dir',
  'tls-private-key-file': 'instead of that in the cert-dir',
  'token-auth-file': 'lines of token, user, uid and "groups"',
}

/** In place of kube-apiserver, until it is to stop. */
export async function runApiServer(
  flags: ProgramFlags,
  { stopped, logger }: { readonly stopped: AbortSignal; readonly logger: Logger },
): Promise<void> {
  const server = new ApiServer({ ...(await serverOptionsOf(flags)), logger })
  await server.start(Number(flags.text('secure-port') ?? DEFAULT_PORT))
  await untilAborted(stopped)
  await server.stop()
}

/** @throws UsageError when a file cannot be read, or a range is none */
export async function serverOptionsOf(flags: ProgramFlags): Promise<ApiServerOptions> {
  const clientCa = flags.text('client-ca-file')
  const tokenFile = flags.text('token-auth-file')
  return {
    ...ENVTEST,
    schemas: loadBuiltinSchemas(),
    clock: systemClock,
    parseYaml: parseYamlBody,
    printYaml: printBody,
    authorization: authorizationOf(flags.list('authorization-mode')),
    serviceRange: serviceRangeOf(flags.list('service-cluster-ip-range')),
    disabledAdmission: flags.list('disable-admission-plugins'),
    certificate: await certificateOf(flags),
    ...(clientCa !== undefined && { clientCa: readTextFile(clientCa) }),
    ...(tokenFile !== undefined && { staticTokens: parseTokenFile(readTextFile(tokenFile)) }),
  }
}

function authorizationOf(modes: readonly string[]): AuthorizationMode {
  if (!modes.includes('RBAC')) return 'always-allow'
  return modes.includes('AlwaysAllow') ? 'rbac,always-allow' : 'rbac'
}

/** Of two ranges, the one of IPv4. */
function serviceRangeOf(ranges: readonly string[]): ServiceRange | undefined {
  if (ranges.length === 0) return ENVTEST.serviceRange
  const range = ranges.map(parseServiceRange).find((each) => each !== undefined)
  if (range) return range
  throw new UsageError(`--service-cluster-ip-range ${ranges.join()}: expected IPv4 addresses from /12 to /30`)
}

async function certificateOf(flags: ProgramFlags): Promise<ServerCertificate> {
  const folder = flags.text('cert-dir')
  const fileOf = (flag: string, name: string): string | undefined => flags.text(flag) ?? (folder && join(folder, name))
  const certificate = fileOf('tls-cert-file', 'apiserver.crt')
  const key = fileOf('tls-private-key-file', 'apiserver.key')
  if (!certificate || !key) return createServerCertificate(systemClock.now())
  if (!existsSync(certificate) && folder) await writeCertificate(folder, certificate, key)
  // Clients trust what the test has made; this server has no authority of its own.
  return { certificate: readTextFile(certificate), key: readTextFile(key), ca: '' }
}

async function writeCertificate(folder: string, certificate: string, key: string): Promise<void> {
  const made = await createServerCertificate(systemClock.now())
  mkdirSync(folder, { recursive: true })
  writeFileSync(certificate, `${made.certificate}\n${made.ca}\n`)
  writeFileSync(key, made.key, { mode: 0o600 })
}
