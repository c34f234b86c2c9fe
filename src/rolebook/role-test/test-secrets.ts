import { isJsonArray, isJsonObject, type JsonValue } from '../../core/base/json.ts'
import { Redactor } from '../../core/base/redactor.ts'
import { secretValues } from '../../core/kube/secret-values.ts'
import { LEDGER } from './engine-traffic.ts'
import type { Step, TestCase } from './test-case.ts'
import type { TestCluster } from './test-cluster.ts'

/** Takes the values of a cluster's Secrets, and those of sensitive tasks, out of what a failed step says: a log of tests is read by many. */
export function redactorFor(cluster: TestCluster, { expect }: Step): Redactor {
  const redactor = hidingSecretsOf(cluster)
  // What the test itself expects, and how the role itself calls its objects, is no secret.
  for (const { name, labels, fields } of expect)
    for (const text of textsOf([name ?? null, labels ?? null, fields])) redactor.show(text)
  for (const name of cluster.secrets.roleNames) redactor.show(name)
  return redactor
}

/** Whether a value holds what stands in a Secret of the cluster, or is of a sensitive task, and not in the file of the test. */
export function holdsSecret(value: JsonValue, cluster: TestCluster, { document }: TestCase): boolean {
  const redactor = hidingSecretsOf(cluster)
  for (const text of textsOf(document.value)) {
    redactor.show(text)
    redactor.show(Buffer.from(text).toString('base64'))
    redactor.show(Buffer.from(text, 'base64').toString('utf8'))
  }
  return textsOf(value).some((text) => redactor.redact(text) !== text)
}

function hidingSecretsOf({ server, secrets: { texts } }: TestCluster): Redactor {
  const redactor = new Redactor()
  for (const text of texts) redactor.hide(text)
  const stored = server.objects.list({ group: '', version: 'v1', kind: 'Secret' })
  for (const secret of stored.filter(({ metadata }) => metadata.name !== LEDGER))
    for (const [, value] of secretValues(secret)) redactor.hide(value)
  return redactor
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value]
  if (isJsonArray(value)) return value.flatMap(textsOf)
  return isJsonObject(value) ? Object.values(value).flatMap(textsOf) : []
}
