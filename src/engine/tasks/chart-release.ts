import { hashJson } from '../../core/base/hash.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/base/json.ts'
import type { Chart, Draw } from '../../core/kube/helm-chart.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import { TaskFailure } from '../role/task-outcome.ts'

/** What is remembered of a release, in a Secret that the resource owns. */
export interface ReleaseRecord {
  /** Counts from 1: one more when the chart or its values have changed. */
  readonly revision: number
  /** Of the chart and its values. */
  readonly digest: string
  /** What templates see as the present time: that of the first rendering, in milliseconds since 1970. */
  readonly now: number
  /** What random functions have given. */
  readonly draws: readonly Draw[]
  /** Phases of this revision whose hooks have all been run. */
  readonly done: readonly HookPhase[]
}

export type HookPhase = 'pre' | 'post' | 'pre-delete' | 'post-delete'

const KEY = 'release.json'

/** The name is one that no chart makes by accident; a release has 53 characters at most. */
export function recordName(release: string): string {
  return `rolebook.release.${release}`
}

/** The record for a rendering, based on the live one: the same revision, the next revision, or the first. */
export function nextRecord(
  live: KubeObject | undefined,
  { chart, values, now }: { readonly chart: Chart; readonly values: JsonObject; readonly now: number },
): ReleaseRecord {
  const digest = hashJson({ chart: chart.id, values })
  const former = live && readRecord(live)
  if (!former) return { revision: 1, digest, now, draws: [], done: [] }
  return former.digest === digest ? former : { ...former, revision: former.revision + 1, digest, done: [] }
}

export function printRecord(metadata: KubeObject['metadata'], record: ReleaseRecord): KubeObject {
  const text = JSON.stringify(record)
  const data = { [KEY]: Buffer.from(text).toString('base64') }
  return { apiVersion: 'v1', kind: 'Secret', metadata, type: 'rolebook.dev/release', data }
}

/** @throws TaskFailure `Invalid` when it holds something else: nothing that is random may be made anew by mistake */
function readRecord({ data, metadata }: KubeObject): ReleaseRecord {
  const text = isJsonObject(data) && typeof data[KEY] === 'string' ? Buffer.from(data[KEY], 'base64').toString() : ''
  const record = parseJson(text)
  if (isJsonObject(record) && typeof record.revision === 'number' && Array.isArray(record.draws)) {
    return record as unknown as ReleaseRecord
  }
  const message = `Secret "${metadata.name}" does not hold the record of a release: delete it to begin anew, with new passwords`
  throw new TaskFailure('Invalid', message)
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}
