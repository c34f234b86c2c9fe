import type { Clock } from '../../core/base/clock.ts'
import { explain } from '../../core/base/coded-error.ts'
import type { Logger } from '../../core/base/logger.ts'
import type { KubeClient } from '../../core/kube/client.ts'
import type { Project } from '../../engine/operator/project.ts'
import { LEDGER_NAME } from '../../engine/reconcile/ownership/ledger.ts'
import { FIELD_MANAGER } from '../../engine/reconcile/ownership/ownership.ts'
import { type EventContent, EventRecorder, type Regarding } from '../../engine/runtime/event-recorder.ts'
import type { Metrics } from '../../engine/runtime/metrics.ts'
import type { ProjectResult } from '../config/load-project.ts'
import { countOf } from './open-project.ts'
import type { Terminal } from './terminal.ts'

export interface ReloadReportOptions {
  readonly client: KubeClient
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Pick<Metrics, 'reloaded'>
  readonly terminal: Pick<Terminal, 'environment' | 'stopped'>
  /** Of the operator. */
  readonly namespace: string
  /** The name of this replica in events. Defaults to one that has no name. */
  readonly instance?: string | undefined
}

const GOES_ON = 'the last good version goes on'

/**
 * Says what became of a changed project, also of one that has changed before a start: in the log, in metrics, and as an event on
 * the operator's pod or its ledger.
 */
export class ReloadReport {
  readonly #options: ReloadReportOptions
  readonly #events: EventRecorder
  #isBroken = false

  constructor(options: ReloadReportOptions) {
    this.#options = options
    this.#events = new EventRecorder({ ...options, reporter: FIELD_MANAGER })
  }

  used({ hash, watches }: Project): void {
    const { logger, metrics } = this.#options
    metrics.reloaded('used')
    const again = this.#isBroken ? ' again' : ''
    this.#isBroken = false
    logger.info('project reloaded', { watches: watches.length })
    const message = `the project can be used${again} and is at work: ${watches.length} watches (version ${hash.slice(0, 12)})`
    this.#recordEvent({ type: 'Normal', reason: 'Reloaded', message })
  }

  invalid({ diagnostics }: Pick<ProjectResult, 'diagnostics'>): void {
    const { logger, metrics } = this.#options
    metrics.reloaded('invalid')
    const [first] = diagnostics
      .filter(({ severity }) => severity === 'error')
      .map(({ file, line, column, code, message }) => `${file}:${line}:${column} ${code} ${message}`)
    logger.error(`the changed project cannot be used; ${GOES_ON}`, { problems: countOf(diagnostics), first })
    this.#fail('ReloadFailed', `${GOES_ON}: the changed project has ${countOf(diagnostics)}, the first ${first}`)
  }

  refused(reason: string): void {
    const { logger, metrics } = this.#options
    metrics.reloaded('refused')
    logger.error(`the changed project is not used; ${GOES_ON}`, { reason })
    this.#fail('ReloadRefused', `${GOES_ON}: ${reason}`)
  }

  /** It is at work, but for the resources that it would tear down. */
  teardownRefused(reason: string): void {
    this.#options.logger.error('resources have lost their watch entry: their objects stay as they are', { reason })
    const message = `they are left as they are and not looked after: ${reason}`
    this.#recordEvent({ type: 'Warning', reason: 'TeardownRefused', message })
  }

  /** No event: the API server, which would have to take it, is what is waited for. */
  delayed(reason: string): void {
    const { logger, metrics } = this.#options
    metrics.reloaded('delayed')
    logger.warn(`the changed project is tried again until the API server lets it be used; ${GOES_ON} until then`, {
      reason,
    })
  }

  #fail(reason: string, message: string): void {
    this.#isBroken = true
    this.#recordEvent({ type: 'Warning', reason, message })
  }

  #recordEvent(content: EventContent): void {
    const { clock, logger, terminal } = this.#options
    // The same edit may be made again.
    const occasion = String(clock.now())
    this.#about().then(
      (regarding) => this.#events.record(regarding, { ...content, occasion }, terminal.stopped),
      (error: unknown) => logger.warn('cannot write an event', { event: content.reason, error: explain(error) }),
    )
  }

  /** The pod, as its own environment says; else the ConfigMap that every installation has. */
  async #about(): Promise<Regarding> {
    const { client, namespace, terminal } = this.#options
    const { POD_NAME, POD_UID = '' } = terminal.environment
    if (POD_NAME) return { gvk: POD, key: { namespace, name: POD_NAME }, uid: POD_UID }
    const key = { namespace, name: LEDGER_NAME }
    const ledger = await client.get(CONFIG_MAP, key, { signal: terminal.stopped })
    return { gvk: CONFIG_MAP, key, uid: ledger?.metadata.uid ?? '' }
  }
}

const POD = { group: '', version: 'v1', kind: 'Pod' }
const CONFIG_MAP = { group: '', version: 'v1', kind: 'ConfigMap' }
