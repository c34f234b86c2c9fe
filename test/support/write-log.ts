import type { Intercept, InterceptedRequest } from '../../src/sandbox/apiserver/http/request-handler.ts'

/** A write that the API server has done on behalf of the operator. */
export interface LoggedWrite {
  readonly method: string
  /** `deployments`, `maintpages/status`. */
  readonly resource: string
  readonly name: string
  /** Of the answer; 0 before there is one. */
  readonly status: number
}

/**
 * What the operator writes, as the API server sees it: not what the operator says of itself. Its own book-keeping (the
 * ledger, its lease) is left out, and so is what it asks by a POST.
 */
export class WriteLog {
  readonly writes: LoggedWrite[] = []
  /** Events: they report the other writes to people, are sent in the background, and are counted apart. */
  readonly events: LoggedWrite[] = []
  readonly #userAgent: RegExp
  #listener: ((write: LoggedWrite, phase: 'before' | 'after') => 'drop' | undefined) | undefined

  /** @param userAgent of the operator */
  constructor(userAgent = /^rolebook/) {
    this.#userAgent = userAgent
  }

  readonly intercept: Intercept = (request) => {
    if (!['POST', 'PUT', 'PATCH', 'DELETE'].includes(request.method) || !this.#userAgent.test(request.userAgent))
      return undefined
    const write = toWrite(request)
    if (isLedger(write) || UNCOUNTED.includes(write.resource)) return undefined
    if (write.resource === 'events') {
      if (request.phase === 'after') this.events.push(write)
      return undefined
    }
    if (request.phase === 'after') this.writes.push(write)
    return this.#listener?.(write, request.phase)
  }

  /** Calls `listener` for every write, before it is done and after it; `drop` cuts the connection. */
  onWrite(listener: (write: LoggedWrite, phase: 'before' | 'after') => 'drop' | undefined): void {
    this.#listener = listener
  }

  /** Counts per resource since the last call. */
  take(): Record<string, number> {
    const counts: Record<string, number> = {}
    for (const { resource } of this.writes.splice(0)) counts[resource] = (counts[resource] ?? 0) + 1
    return counts
  }
}

const UNCOUNTED = ['leases', 'selfsubjectaccessreviews', 'tokenreviews', 'subjectaccessreviews']

/** Its own ConfigMap and Secret, made by POST without a name in the path: what roles make is always applied. */
function isLedger({ method, resource, name }: LoggedWrite): boolean {
  return name === 'rolebook-ledger' || (method === 'POST' && ['configmaps', 'secrets'].includes(resource))
}

/** `/apis/apps/v1/namespaces/shop/deployments/web/status` */
function toWrite({ method, path, status }: InterceptedRequest): LoggedWrite {
  const steps = path.split('?')[0]?.split('/').filter(Boolean) ?? []
  const rest = steps.slice(steps[0] === 'api' ? 2 : 3)
  const [resource = '', name = '', subresource] = rest[0] === 'namespaces' && rest.length > 2 ? rest.slice(2) : rest
  return { method, resource: subresource === undefined ? resource : `${resource}/${subresource}`, name, status }
}
