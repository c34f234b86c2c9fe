import { isJsonArray, isJsonObject, type JsonPath, type JsonValue, printPath } from '../../core/base/json.ts'
import { Redactor } from '../../core/base/redactor.ts'
import { formatObject, type KubeObject } from '../../core/kube/object.ts'
import type { TestCluster } from './test-cluster.ts'

export interface LeakOptions {
  readonly cluster: TestCluster
  /** What a reader knows anyway: the objects that the test itself gives, but for Secrets. */
  readonly known: readonly JsonValue[]
}

/** Where a value that a Secret holds, or has held, stands in something that many may read: statuses, Events and the log. */
export function findLeaks({ cluster, known }: LeakOptions): readonly string[] {
  const redactor = new Redactor()
  for (const value of cluster.secretValues) for (const spelling of spellingsOf(value)) redactor.hide(spelling)
  for (const value of known) for (const { text } of textsIn(value)) redactor.show(text)
  const holds = (text: string): boolean => redactor.redact(text) !== text
  const resources = cluster.project.watches.flatMap(({ watch }) => cluster.server.objects.list(watch.gvk))
  const inStatus = resources.flatMap((resource) =>
    textsIn((resource.status ?? null) as JsonValue)
      .filter(({ text }) => holds(text))
      .map(({ path }) => `${formatObject(resource)} ${printPath(['status', ...path])}`),
  )
  const events = cluster.server.objects.list(EVENT).filter((event) => holds(messageOf(event)))
  const inLog = cluster.log.lines.filter(holds).map((line) => `the log: ${redactor.redact(line)}`)
  const inEvents = events.map(({ reason }) => `an Event with the reason ${String(reason)}`)
  return [...new Set([...inStatus, ...inEvents, ...inLog])].sort()
}

/** A value as it is, and what is often made of one. */
function spellingsOf(base64: string): readonly string[] {
  const text = Buffer.from(base64, 'base64').toString('utf8')
  return [base64, text.toUpperCase(), text.toLowerCase(), [...text].reverse().join('')]
}

const EVENT = { group: '', version: 'v1', kind: 'Event' }

function messageOf({ message, note }: KubeObject): string {
  return String(note ?? message ?? '')
}

/** Every text in a value, with its place. */
function textsIn(value: JsonValue, path: JsonPath = []): readonly { readonly text: string; readonly path: JsonPath }[] {
  if (typeof value === 'string') return [{ text: value, path }]
  if (isJsonArray(value)) return value.flatMap((item, index) => textsIn(item, [...path, index]))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner ?? null, [...path, key]))
}
