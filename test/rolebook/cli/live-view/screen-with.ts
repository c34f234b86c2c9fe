import { stripVTControlCharacters } from 'node:util'
import type { Heading } from '../../../../src/rolebook/cli/live-view/heading.ts'
import { drawScreen, reduceScreen } from '../../../../src/rolebook/cli/live-view/reduce-screen.ts'
import { keyOfRow, type ResourceRow } from '../../../../src/rolebook/cli/live-view/resource-row.ts'
import {
  newScreenState,
  type ScreenEvent,
  type ScreenState,
  type Size,
} from '../../../../src/rolebook/cli/live-view/screen-state.ts'

export const HEADING: Heading = {
  url: 'https://127.0.0.1:6443',
  commands: ['export KUBECONFIG=$PWD/.rolebook/kubeconfig', 'kubectl get memcacheds,deployments,pods'],
  note: 'Edit watches.yaml, roles and samples: the cluster follows. Ctrl-C stops and forgets everything.',
}

/** A resource that is ready, but for what is given. */
export function row(name: string, { kind = 'Memcached', ...changes }: Partial<ResourceRow> & { kind?: string } = {}) {
  const request = { group: 'example.com', kind, namespace: 'default', name }
  const ready = { ready: 'True', reason: 'Ready', message: '', children: 1, changed: Date.UTC(2026, 0, 1, 12) } as const
  return { ...ready, request, ...changes } satisfies ResourceRow
}

export function unready(name: string, message: string, changes: Parameters<typeof row>[1] = {}): ResourceRow {
  return row(name, { ready: 'False', reason: 'NotReady', message, ...changes })
}

export interface Setting {
  readonly size?: Size
  readonly rows?: readonly ResourceRow[]
  readonly hasKeys?: boolean
  readonly events?: readonly ScreenEvent[]
  readonly keys?: readonly string[]
}

/** A screen after resources were shown, events came, and keys were pressed. */
export function screenWith({
  size = { columns: 80, rows: 24 },
  rows = [],
  events = [],
  keys = [],
  hasKeys = true,
}: Setting) {
  const changes = new Map(rows.map((one) => [keyOfRow(one), one]))
  const all: readonly ScreenEvent[] = [
    { type: 'resources', changes },
    ...events,
    ...keys.map((name) => ({ type: 'key', name }) as const),
  ]
  return all.reduce(reduceScreen, newScreenState({ size, hasKeys, heading: HEADING }))
}

export function linesOf(state: ScreenState): readonly string[] {
  return drawScreen(state, true).map((line) => stripVTControlCharacters(line).trimEnd())
}
