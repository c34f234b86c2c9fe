import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { canonicalJson } from '../../../../src/core/base/json.ts'
import { formatGvk, gvkOf } from '../../../../src/core/kube/group-version-kind.ts'
import { BuiltinSchemas } from '../../../../src/core/schema/builtin-schemas.ts'
import { builtinKinds } from '../../../../src/sandbox/apiserver/kinds/builtin-kinds.ts'
import { type Expected, loadFixture } from './fixture.ts'
import { KindPipeline } from './kind-pipeline.ts'

const CLUSTER_SCOPED = new Set([
  'Namespace',
  'ClusterRole',
  'ClusterRoleBinding',
  'PersistentVolume',
  'StorageClass',
  'PriorityClass',
  'IngressClass',
  'Node',
])

const DATA = new URL('../../../../src/core/schema/builtin-schemas.generated.bin', import.meta.url)
const KINDS = builtinKinds(BuiltinSchemas.decode(readFileSync(DATA)))

/** Complaints come in the order of fields, or of Go maps: compared as a set. */
function comparable(answer: Expected): unknown {
  if ('object' in answer) return answer
  const { code, reason, causes, message } = answer
  const sorted = [...(causes as unknown as { field: string; message: string }[])]
    .map((cause) => ({ ...cause, message: comparableMessage(cause.message) }))
    .map((cause) => canonicalJson(cause))
    .sort()
  return { code, reason, causes: [...new Set(sorted)], ...(sorted.length === 0 && { message }) }
}

/** The server adds a diff in its own notation of structs, and prints structs in the order of their Go fields. */
function comparableMessage(message: string): string {
  const [first = ''] = message.split('\n')
  const uids = first.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uid>')
  // Whole templates, and specs of pods, come with the names of Go.
  return uids.replace(/\{.*\}/, (struct) =>
    /"(spec|containers)":/i.test(struct) ? '{…}' : canonicalJson(JSON.parse(struct)),
  )
}

describe('built-in kinds answer as a real kube-apiserver', () => {
  for (const file of readdirSync(import.meta.dirname).filter((name) => name.endsWith('.json'))) {
    describe(file.replace('.json', ''), () => {
      for (const fixtureCase of loadFixture(new URL(file, import.meta.url)).cases) {
        it(fixtureCase.name, () => {
          const input = fixtureCase.create ?? fixtureCase.given
          const gvk = gvkOf(input!)
          const rules = KINDS.find((each) => formatGvk(each.gvk) === formatGvk(gvk))
          const pipeline = new KindPipeline(rules!, { namespaced: !CLUSTER_SCOPED.has(gvk.kind) })
          expect(comparable(pipeline.answer(fixtureCase))).to.deep.equal(comparable(fixtureCase.expected!))
        })
      }
    })
  }
})
