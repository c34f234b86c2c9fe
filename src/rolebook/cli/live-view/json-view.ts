import { stripVTControlCharacters } from 'node:util'
import type { Logger } from '../../../core/base/logger.ts'
import { formatKey } from '../../../core/kube/object.ts'
import type { Request } from '../../../engine/runtime/reconciler.ts'
import type { Heading } from './heading.ts'
import type { LiveView } from './live-view.ts'
import { keyOfRow, type ResourceRow } from './resource-row.ts'

export interface JsonViewOptions {
  readonly heading: Heading
  /** For what becomes of resources. */
  readonly results: Logger
  /** For everything said beside it. */
  readonly logger: Logger
}

/** For programs that read logs: a line of log, in JSON, for each change. */
export class JsonView implements LiveView {
  readonly #results: Logger
  readonly #logger: Logger
  readonly #last = new Map<string, string>()

  constructor({ heading, results, logger }: JsonViewOptions) {
    this.#results = results
    this.#logger = logger
    results.info('sandbox ready', { url: heading.url })
  }

  show(row: ResourceRow): void {
    const { ready, reason, message, children } = row
    const fields = { ready, reason, ...(message !== '' && { message }), ...(children !== undefined && { children }) }
    if (this.#last.get(keyOfRow(row)) === JSON.stringify(fields)) return
    this.#last.set(keyOfRow(row), JSON.stringify(fields))
    this.#results.info('resource changed', { ...nameOf(row.request), ...fields })
  }

  remove(request: Request): void {
    if (this.#last.delete(keyOfRow({ request }))) this.#results.info('resource gone', nameOf(request))
  }

  say(text: string): void {
    this.#logger.info(plain(text))
  }

  showProblem(text: string | undefined): void {
    if (text !== undefined) this.#logger.error(plain(text))
  }

  stop(): void {}
}

function nameOf({ kind, ...key }: Request) {
  return { kind, resource: formatKey(key) }
}

function plain(text: string): string {
  return stripVTControlCharacters(text).trimEnd()
}
