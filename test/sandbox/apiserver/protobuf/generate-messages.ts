/**
 * Writes `src/sandbox/apiserver/protobuf/messages.generated.json` from the generated.proto files of the Go modules of Kubernetes.
 *
 *     node test/sandbox/apiserver/protobuf/generate-messages.ts "$(go env GOMODCACHE)/k8s.io" v0.36.4
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { BuiltinSchemas } from '../../../../src/core/schema/builtin-schemas.ts'

const GROUPS = [
  'admissionregistration/v1',
  'apps/v1',
  'authentication/v1',
  'authorization/v1',
  'autoscaling/v1',
  'autoscaling/v2',
  'batch/v1',
  'certificates/v1',
  'coordination/v1',
  'core/v1',
  'discovery/v1',
  'events/v1',
  'flowcontrol/v1',
  'networking/v1',
  'node/v1',
  'policy/v1',
  'rbac/v1',
  'resource/v1',
  'scheduling/v1',
  'storage/v1',
]
const MACHINERY = ['pkg/api/resource', 'pkg/apis/meta/v1', 'pkg/runtime', 'pkg/util/intstr']
/** Groups with a module of their own. */
const OTHERS = [
  'apiextensions-apiserver@VERSION/pkg/apis/apiextensions/v1',
  'kube-aggregator@VERSION/pkg/apis/apiregistration/v1',
]
const SCALARS: Record<string, string> = {
  string: 's',
  bool: 'b',
  int32: 'i',
  int64: 'i',
  double: 'd',
  bytes: 'y',
}

const [, , modules = '', version = 'v0.36.4'] = process.argv
const root = fileURLToPath(new URL('../../../../src/', import.meta.url))
const schemas = BuiltinSchemas.decode(readFileSync(`${root}core/schema/builtin-schemas.generated.bin`))
const messages: Record<string, string> = {}

for (const group of GROUPS) read(`${modules}/api@${version}/${group}/generated.proto`)
for (const folder of MACHINERY) read(`${modules}/apimachinery@${version}/${folder}/generated.proto`)
for (const folder of OTHERS) read(`${modules}/${folder.replace('VERSION', version)}/generated.proto`)
const sorted = Object.fromEntries(Object.entries(messages).sort())
writeFileSync(`${root}sandbox/apiserver/protobuf/messages.generated.json`, `${JSON.stringify(sorted, null, 1)}\n`)

function read(path: string): void {
  const text = readFileSync(path, 'utf8').replace(/\/\/.*$/gm, '')
  const pack = /^package (\S+);/m.exec(text)?.[1] ?? ''
  for (const [, name = '', body = ''] of text.matchAll(/^message (\w+) \{(.*?)^\}/gms)) {
    messages[nameOf(`${pack}.${name}`)] = fieldsOf(body, pack, definitionOf(pack, name))
  }
}

function fieldsOf(body: string, pack: string, definition: string): string {
  const fields = [...body.matchAll(/(optional|repeated|map<string,) *([\w.]+)>? (\w+) = (\d+);/g)]
  const properties = schemas.definition(definition)?.properties
  return fields
    .map(([, rule, type = '', name = '', number]) => {
      const code = codeOf(type, pack)
      const json = Object.keys(properties ?? {}).find((key) => lettersOf(key) === lettersOf(name))
      const isInline = properties !== undefined && json === undefined && code.startsWith('M') && rule === 'optional'
      const prefix = rule === 'repeated' ? 'R' : rule === 'optional' ? (isInline ? 'I' : '') : 'K'
      return `${number} ${json ?? name} ${prefix}${code}`
    })
    .join(';')
}

/** In the OpenAPI documents of the server. */
function definitionOf(pack: string, name: string): string {
  return `${pack.replace('k8s.io', 'io.k8s').replaceAll('_', '-')}.${name}`
}

/** JSON has `x-kubernetes-int-or-string` and `$ref` for `xKubernetesIntOrString` and `ref`. */
function lettersOf(name: string): string {
  return name.replace(/[-$]/g, '').toLowerCase()
}

function codeOf(type: string, pack: string): string {
  const scalar = SCALARS[type]
  if (scalar) return scalar
  return `M${nameOf(type.startsWith('.') ? type.slice(1) : `${pack}.${type}`)}`
}

/** `api.core.v1.Pod`: without what all names share. */
function nameOf(full: string): string {
  return full.replace(/^k8s\.io\./, '').replace(/^(apimachinery|apiextensions_apiserver|kube_aggregator)\.pkg\./, '')
}
