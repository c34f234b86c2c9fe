import { type LogFields, type Logger, nopLogger } from '../../src/core/base/logger.ts'
import type { Gvk } from '../../src/core/kube/group-version-kind.ts'
import type { OperatorSandbox } from './operator-sandbox.ts'
import { WIDGET } from './operator-sandbox.ts'

const EVENT: Gvk = { group: 'events.k8s.io', version: 'v1', kind: 'Event' }

/** Remembers every line, with its fields, at every level. */
export class RecordedLog {
  readonly lines: string[] = []

  readonly logger: Logger = this.#logger({})

  #logger(fields: LogFields): Logger {
    const at = (message: string, more?: LogFields): void =>
      void this.lines.push(`${message} ${JSON.stringify({ ...fields, ...more })}`)
    return {
      ...nopLogger,
      debug: at,
      info: at,
      warn: at,
      error: at,
      child: (more) => this.#logger({ ...fields, ...more }),
    }
  }
}

/** Every text that an operator has published about the widget `w`: status, events, log, reports of runs and their history. */
export async function toldBy(sandbox: OperatorSandbox, log: RecordedLog): Promise<string> {
  const widget = await sandbox.get(WIDGET, 'w')
  const { items } = await sandbox.client.list(EVENT, { namespace: 'default' })
  const history = sandbox.operator?.history.of({
    group: WIDGET.group,
    kind: WIDGET.kind,
    namespace: 'default',
    name: 'w',
  })
  return JSON.stringify([widget?.status, items, log.lines, sandbox.runs, history], null, 1)
}

/** In which forms a text stands in another. */
export function formsIn(text: string, secret: string): readonly string[] {
  const forms = [
    secret,
    Buffer.from(secret).toString('base64'),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ]
  return forms.filter((form) => text.includes(form))
}
