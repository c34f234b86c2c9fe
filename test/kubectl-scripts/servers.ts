/** The two servers, set as upstream's `hack/make-rules/test-cmd.sh` sets its own. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/core/base/clock.ts'
import { parseYamlBody } from '../../src/core/yaml/parse-body.ts'
import { printBody } from '../../src/core/yaml/print-body.ts'
import { parseTokenFile } from '../../src/sandbox/apiserver/access/token-file.ts'
import { ApiServer } from '../../src/sandbox/apiserver/api-server.ts'
import { parseServiceRange } from '../../src/sandbox/apiserver/kinds/service/service-range.ts'
import { loadBuiltinSchemas } from '../../src/sandbox/cluster/load-builtin-schemas.ts'
import { ControlPlane } from '../control-plane/control-plane.ts'
import { upstreamFolder } from './upstream-tree.ts'

const SERVICE_RANGE = '10.0.0.0/24'

export interface ScriptServer {
  /** On 127.0.0.1. */
  readonly port: number
  stop(): Promise<void>
}

/** etcd, kube-apiserver and the controller manager: no scheduler, and no kubelet. */
export async function startReal(): Promise<ScriptServer> {
  const { authority, authorityKey, tokens } = upstreamFiles()
  const plane = await ControlPlane.start(
    {
      'kube-apiserver': [
        '--authorization-mode=AlwaysAllow', // beside RBAC
        '--enable-admission-plugins=LimitRanger,ResourceQuota',
        '--disable-admission-plugins=ServiceAccount,DefaultStorageClass,DefaultTolerationSeconds,MutatingAdmissionWebhook,ValidatingAdmissionWebhook,StorageObjectInUseProtection',
        `--service-cluster-ip-range=${SERVICE_RANGE}`,
        `--token-auth-file=${tokens}`,
      ],
      'kube-controller-manager': [
        `--cluster-signing-cert-file=${authority}`,
        `--cluster-signing-key-file=${authorityKey}`,
      ],
    },
    { nodes: false, clientCa: readFileSync(authority, 'utf8') },
  )
  return { port: Number(new URL(plane.url).port), stop: () => plane.stop() }
}

/** With the controllers of a cluster, and without nodes. */
export async function startSandbox(): Promise<ScriptServer> {
  const { authority, tokens } = upstreamFiles()
  const server = new ApiServer({
    schemas: loadBuiltinSchemas(),
    clock: systemClock,
    parseYaml: parseYamlBody,
    printYaml: printBody,
    nodes: false,
    authorization: 'rbac,always-allow',
    disabledAdmission: ['ServiceAccount'],
    serviceRange: parseServiceRange(SERVICE_RANGE),
    clientCa: readFileSync(authority, 'utf8'),
    staticTokens: parseTokenFile(readFileSync(tokens, 'utf8')),
  })
  const { url } = await server.start()
  return { port: Number(new URL(url).port), stop: () => server.stop() }
}

function upstreamFiles(): { readonly authority: string; readonly authorityKey: string; readonly tokens: string } {
  const at = (name: string): string => join(upstreamFolder(), 'hack/testdata', name)
  return { authority: at('ca/ca.crt'), authorityKey: at('ca/ca.key'), tokens: at('auth-tokens.csv') }
}
