import { isJsonArray, isJsonObject, type JsonValue } from '../base/json.ts'
import { Redactor } from '../base/redactor.ts'
import { secretValues } from '../kube/secret-values.ts'
import { LEDGER } from './engine-traffic.ts'
import type { Step } from './test-case.ts'
import type { TestCluster } from './test-cluster.ts'

/** Takes the values of a cluster's Secrets out of what a failed step says: a log of tests is read by many. */
export function redactorFor({ server, traffic }: TestCluster, { expect }: Step): Redactor {
  const redactor = new Redactor()
  const secrets = server.objects.list({ group: '', version: 'v1', kind: 'Secret' })
  for (const secret of secrets.filter(({ metadata }) => metadata.name !== LEDGER))
    for (const [, value] of secretValues(secret)) redactor.hide(value)
  // What the test itself expects, and which objects were written, anybody may know.
  for (const { name, fields } of expect) for (const text of [name, ...textsOf(fields)]) redactor.show(text)
  for (const { object } of traffic.writes) redactor.show(object)
  return redactor
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value]
  if (isJsonArray(value)) return value.flatMap(textsOf)
  return isJsonObject(value) ? Object.values(value).flatMap(textsOf) : []
}
