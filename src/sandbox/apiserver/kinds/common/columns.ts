import type { JsonObject, JsonValue } from '../../../../core/base/json.ts'
import type { Gvk } from '../../../../core/kube/group-version-kind.ts'
import { apiVersionOf } from '../../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { keyOf } from '../../../../core/kube/object.ts'
import type { TableColumn } from '../kind-rules.ts'
import recorded from '../table-columns.generated.json' with { type: 'json' }
import { itemsAt, objectAt, textAt } from './fields.ts'
import { printSelector } from './print-selector.ts'

type Cell = TableColumn['cell']
export type Cells = Readonly<Record<string, Cell>>

interface RecordedColumn {
  readonly name: string
  readonly type: string
  readonly format: string
  readonly description: number
  readonly priority: number
}

/** The columns of a kind as the real server describes them, with what fills them; name and age are filled already. */
export function columnsOf(gvk: Gvk, cells: Cells = {}): readonly TableColumn[] {
  const all: Readonly<Record<string, readonly RecordedColumn[]>> = recorded.columns
  const described = all[`${apiVersionOf(gvk)} ${gvk.kind}`] ?? []
  return described.map(({ name, type, format, description, priority }) => ({
    name,
    type: type as TableColumn['type'],
    format,
    description: recorded.descriptions[description] as string,
    priority,
    cell: cells[name] ?? COMMON[name] ?? (() => ''),
  }))
}

const COMMON: Cells = {
  Name: (object) => keyOf(object).name,
  Age: ({ metadata }, now) => ageOf(metadata.creationTimestamp, now),
  'Created At': ({ metadata: { creationTimestamp = null } }) => creationTimestamp,
  Containers: (object) => containersOf(object, 'name'),
  Images: (object) => containersOf(object, 'image'),
  Selector: (object) => printSelector(objectAt(objectAt(object, 'spec'), 'selector')),
}

function containersOf(object: KubeObject, field: 'name' | 'image'): string {
  const { spec } = objectAt(objectAt(object, 'spec'), 'template')
  return containerTexts(spec as JsonObject | undefined, field)
}

/** Names or images of the containers of a pod's spec. */
export function containerTexts(podSpec: JsonObject | undefined, field: 'name' | 'image'): string {
  return itemsAt(podSpec, 'containers')
    .map((container) => textAt(container, field))
    .join(',')
}

/** How long ago a timestamp was, as people say it. */
export function ageOf(timestamp: JsonValue | undefined, now: number): string {
  if (typeof timestamp !== 'string') return '<unknown>'
  return humanDuration(now - Date.parse(timestamp))
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const YEAR = 365 * DAY
/** Go counts nanoseconds in 64 bits. */
const LONGEST = 2 ** 63 / 1e6

/** The server's short form of a duration: `45s`, `3m20s`, `5d3h`, `2y10d`. */
export function humanDuration(duration: number): string {
  const milliseconds = Math.min(duration, LONGEST)
  const floor = (unit: number): number => Math.floor(milliseconds / unit)
  const pair = (large: [number, string], small: [number, string]): string => {
    const rest = Math.floor((milliseconds % large[0]) / small[0])
    return `${floor(large[0])}${large[1]}${rest === 0 ? '' : `${rest}${small[1]}`}`
  }
  if (milliseconds < -SECOND) return '<invalid>'
  if (milliseconds < 0) return '0s'
  if (milliseconds < 2 * MINUTE) return `${floor(SECOND)}s`
  if (milliseconds < 10 * MINUTE) return pair([MINUTE, 'm'], [SECOND, 's'])
  if (milliseconds < 3 * HOUR) return `${floor(MINUTE)}m`
  if (milliseconds < 8 * HOUR) return pair([HOUR, 'h'], [MINUTE, 'm'])
  if (milliseconds < 2 * DAY) return `${floor(HOUR)}h`
  if (milliseconds < 8 * DAY) return pair([DAY, 'd'], [HOUR, 'h'])
  if (milliseconds < 2 * YEAR) return `${floor(DAY)}d`
  if (milliseconds < 8 * YEAR) return pair([YEAR, 'y'], [DAY, 'd'])
  return `${floor(YEAR)}y`
}
