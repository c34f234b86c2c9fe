import type { Gvk } from '../../src/kube/group-version-kind.ts'
import type { OperatorSandbox } from '../support/operator-sandbox.ts'
import { WIDGET } from '../support/operator-sandbox.ts'
import type { RecordedLog } from '../support/secret-sinks.ts'

const EVENT: Gvk = { group: 'events.k8s.io', version: 'v1', kind: 'Event' }

/** Everything that an operator has told so far, by where it stands. */
export async function toldInRound(sandbox: OperatorSandbox, log: RecordedLog): Promise<ReadonlyMap<string, string>> {
  const widgets = await sandbox.client.list(WIDGET)
  const events = await sandbox.client.list(EVENT)
  return new Map([
    ['status', JSON.stringify(widgets.items, null, 1)],
    ['events', JSON.stringify(events.items, null, 1)],
    ['log', log.lines.join('\n')],
    ['reports of runs', JSON.stringify(sandbox.runs, null, 1)],
    ['warnings', sandbox.warnings.join('\n')],
  ])
}
