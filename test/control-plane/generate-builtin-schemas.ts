/**
 * Writes `src/core/schema/builtin-schemas.generated.bin` from a real kube-apiserver.
 *
 *     node test/control-plane/generate-builtin-schemas.ts --kubeconfig FILE [--go-modules DIR] [--out FILE]
 *
 * The file is two brotli streams behind the length of the first (4 bytes, big endian). Each stream is JSON lines.
 * The first holds a header (see `Header` in `src/core/schema/builtin-schemas.ts`) and one OpenAPI definition a line, each
 * once although many group versions repeat it. The second holds the `paths` of one group version a line: they are large
 * and seldom read. `--go-modules` (default: `go env GOMODCACHE`) is where the sources of `k8s.io/api` and friends lie:
 * they say which optional fields are no pointers; no OpenAPI document does.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { get, type RequestOptions } from 'node:https'
import { argv } from 'node:process'
import { parseArgs } from 'node:util'
import { brotliCompressSync, constants } from 'node:zlib'
import { KubeConfig } from '@kubernetes/client-node'
import type { JsonObject, JsonValue } from '../../src/core/base/json.ts'
import { GoSources } from './go-fields.ts'

const GROUP_VERSIONS = [
  'v1',
  'apps/v1',
  'batch/v1',
  'autoscaling/v1',
  'autoscaling/v2',
  'networking.k8s.io/v1',
  'rbac.authorization.k8s.io/v1',
  'policy/v1',
  'coordination.k8s.io/v1',
  'discovery.k8s.io/v1',
  'events.k8s.io/v1',
  'storage.k8s.io/v1',
  'scheduling.k8s.io/v1',
  'apiextensions.k8s.io/v1',
  'admissionregistration.k8s.io/v1',
  'authentication.k8s.io/v1',
  'authorization.k8s.io/v1',
  'certificates.k8s.io/v1',
  'node.k8s.io/v1',
  'resource.k8s.io/v1',
  'flowcontrol.apiserver.k8s.io/v1',
  'apiregistration.k8s.io/v1',
]

const DISCOVERY = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

type Json = { [key: string]: JsonValue | undefined }
type Load = (path: string, accept?: string) => Promise<Json>

async function main(): Promise<void> {
  const { values } = parseArgs({
    args: argv.slice(2),
    options: {
      kubeconfig: { type: 'string' },
      'go-modules': { type: 'string' },
      out: { type: 'string' },
    },
  })
  const config = new KubeConfig()
  if (values.kubeconfig === undefined) config.loadFromDefault()
  else config.loadFromFile(values.kubeconfig)
  const load = await loader(config)
  const modules = values['go-modules'] ?? execFileSync('go', ['env', 'GOMODCACHE'], { encoding: 'utf8' }).trim()
  const bytes = await generate(load, modules)
  const out = values.out ?? new URL('../../src/core/schema/builtin-schemas.generated.bin', import.meta.url)
  writeFileSync(out, bytes)
  console.log(`${bytes.length} bytes written`)
}

async function loader(config: KubeConfig): Promise<Load> {
  const server = config.getCurrentCluster()?.server
  if (server === undefined) throw new Error('cannot reach a server: the kubeconfig names no cluster')
  const options: RequestOptions = {}
  await config.applyToHTTPSOptions(options as Parameters<KubeConfig['applyToHTTPSOptions']>[0])
  return (path, accept = 'application/json') =>
    new Promise((resolve, reject) => {
      const request = get(new URL(path, server), { ...options, headers: { accept } }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => {
          if (answer.statusCode === 200) resolve(JSON.parse(Buffer.concat(chunks).toString()))
          else reject(new Error(`GET ${path}: ${answer.statusCode}`))
        })
      })
      request.on('error', reject)
    })
}

async function generate(load: Load, goModules: string): Promise<Buffer> {
  const version = await load('/version')
  const goVersion = String(version.gitVersion).replace(/^v1\./, 'v0.')
  const sources = new GoSources(goModules, goVersion)
  const texts = new Map<string, number>()
  const lines: string[] = []
  const documents: Json = {}
  const pathLines: string[] = []
  const goFields: Json = {}
  for (const groupVersion of GROUP_VERSIONS) {
    const path = groupVersion.includes('/') ? `apis/${groupVersion}` : `api/${groupVersion}`
    const document = await load(`/openapi/v3/${path}`)
    const { schemas, ...components } = document.components as {
      schemas: Json
    } & Json
    const definitions: Json = {}
    for (const [name, schema] of Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))) {
      const text = JSON.stringify(schema)
      const line = texts.get(text) ?? lines.push(text) - 1
      texts.set(text, line)
      definitions[name] = line
      const { required = [] } = schema as { readonly required?: readonly string[] }
      const fields = sources.fieldsOf(name, required)
      if (fields !== undefined) goFields[name] = fields as unknown as JsonObject
    }
    documents[groupVersion] = {
      openapi: document.openapi,
      info: document.info,
      components,
      definitions,
    }
    pathLines.push(JSON.stringify(document.paths))
  }
  const groups = [...(await discovered(load, '/api')), ...(await discovered(load, '/apis'))]
  const header = { version, documents, groups, goFields }
  return pack([JSON.stringify(header), ...lines].join('\n'), pathLines.join('\n'))
}

/** The group versions we keep, in the order of the server. */
async function discovered(load: Load, path: string): Promise<JsonObject[]> {
  const list = await load(path, DISCOVERY)
  const groups = list.items as (JsonObject & {
    metadata: JsonObject
    versions: JsonObject[]
  })[]
  return groups
    .map((group) => {
      const name = String(group.metadata.name ?? '')
      const kept = group.versions.filter(({ version }) =>
        GROUP_VERSIONS.includes(name === '' ? String(version) : `${name}/${version}`),
      )
      return { name, versions: kept }
    })
    .filter(({ versions }) => versions.length > 0)
}

function pack(first: string, second: string): Buffer {
  const [head, tail] = [compress(first), compress(second)]
  const length = Buffer.alloc(4)
  length.writeUInt32BE(head.length)
  return Buffer.concat([length, head, tail])
}

function compress(text: string): Buffer {
  return brotliCompressSync(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
    },
  })
}

await main()
