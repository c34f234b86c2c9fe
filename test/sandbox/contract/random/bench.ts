import { canonicalJson, type JsonObject, type JsonValue } from '../../../../src/core/base/json.ts'
import type { Reply, Send } from '../exchange.ts'
import { mask } from '../mask.ts'
import { parseBody } from '../run-script.ts'
import type { ServerUnderTest } from '../server-under-test.ts'
import { differentLines } from './print-report.ts'
import type { Pair } from './run-sequence.ts'

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const JSON_TYPE = { 'content-type': 'application/json' }

/** Both servers, with a namespace for random objects. No controllers run: what is compared is the API server alone. */
export async function prepareNamespace(
  real: ServerUnderTest,
  sandbox: ServerUnderTest,
  namespace: string,
): Promise<Pair> {
  // Who makes these otherwise is no part of the API server.
  await post(real.send, '/api/v1/namespaces', { metadata: { name: namespace } })
  const inside = `/api/v1/namespaces/${namespace}`
  await post(real.send, `${inside}/serviceaccounts`, { metadata: { name: 'default' } })
  await post(real.send, `${inside}/configmaps`, { metadata: { name: 'kube-root-ca.crt' } })
  await sandbox.createNamespace(namespace)
  return { real: real.send, sandbox: sandbox.send, namespace }
}

/**
 * Makes a CRD on both servers.
 *
 * @returns whether it was accepted
 * @throws Error when only one accepts it, or for another reason
 */
export async function installDefinition({ real, sandbox, namespace }: Pair, definition: JsonObject): Promise<boolean> {
  const replies = await Promise.all([real, sandbox].map((send) => post(send, `${CRDS}?dryRun=All`, definition)))
  const [ofReal = '', ofSandbox = ''] = replies.map((reply) =>
    JSON.stringify(JSON.parse(canonicalJson(mask(parseBody(reply), namespace))), undefined, 1),
  )
  if (ofReal !== ofSandbox) {
    throw new Error(
      `a random CRD is answered differently\n${JSON.stringify(definition)}\n${differentLines(ofReal, ofSandbox)}`,
    )
  }
  if (replies[0]?.status !== 201) return false
  await Promise.all([real, sandbox].map((send) => post(send, CRDS, definition)))
  await Promise.all([real, sandbox].map((send) => untilServed(send, definition, namespace)))
  return true
}

async function untilServed(send: Send, definition: JsonObject, namespace: string): Promise<void> {
  const { group, names, versions } = definition.spec as unknown as {
    group: string
    names: { plural: string; kind: string }
    versions: { name: string }[]
  }
  for (const { name } of versions) {
    const path = `/apis/${group}/${name}/namespaces/${namespace}/${names.plural}?dryRun=All&fieldValidation=Strict`
    const probe = { apiVersion: `${group}/${name}`, kind: names.kind, metadata: { name: 'probe' }, probe: 1 }
    for (let attempt = 0; ; attempt++) {
      const { status } = await post(send, path, probe)
      // Strict validation finds the field that is in no schema: the schema is there.
      if (status === 400 || status === 422) break
      if (attempt === 200) throw new Error(`${path} is not served after twenty seconds: it answers ${status}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

function post(send: Send, path: string, body: JsonValue): Promise<Reply> {
  return send({ method: 'POST', path, headers: JSON_TYPE, body: JSON.stringify(body) })
}
