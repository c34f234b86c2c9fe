import { existsSync, readFileSync } from 'node:fs'

/** One request of the operator, as the API server has noted it. */
export interface AuditedRequest {
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`. */
  readonly verb: string
  readonly group: string
  /** `deployments`, `memcacheds/status`. */
  readonly resource: string
  readonly namespace: string
  readonly name: string
  /** Of the answer. */
  readonly status: number
}

/** Only the ServiceAccounts of this namespace are audited: the operator has its own there. */
export const AUDITED_NAMESPACE = 'rolebook-system'

export const AUDIT_POLICY = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [{ level: 'Metadata', userGroups: [`system:serviceaccounts:${AUDITED_NAMESPACE}`] }, { level: 'None' }],
}

interface AuditEvent {
  readonly verb: string
  readonly objectRef?: {
    readonly apiGroup?: string
    readonly resource?: string
    readonly subresource?: string
    readonly namespace?: string
    readonly name?: string
  }
  readonly responseStatus?: { readonly code?: number }
}

/** What the operator has asked of an API server: the server's word for it, not the operator's. */
export class AuditLog {
  readonly #path: string
  #read = 0

  constructor(path: string) {
    this.#path = path
  }

  /** Answered requests since the last call. A watch stands here twice: when it was opened, and when it ended. */
  take(): readonly AuditedRequest[] {
    if (!existsSync(this.#path)) return []
    const bytes = readFileSync(this.#path)
    const end = bytes.lastIndexOf('\n') + 1
    const lines = bytes.subarray(this.#read, end).toString('utf8').split('\n')
    this.#read = end
    return lines.filter(Boolean).map((line) => toRequest(JSON.parse(line)))
  }
}

/** Those that change something. */
export function isWrite({ verb }: AuditedRequest): boolean {
  return !['get', 'list', 'watch'].includes(verb)
}

function toRequest({ verb, objectRef = {}, responseStatus = {} }: AuditEvent): AuditedRequest {
  const { apiGroup = '', resource = '', subresource, namespace = '', name = '' } = objectRef
  const path = subresource === undefined ? resource : `${resource}/${subresource}`
  return { verb, group: apiGroup, resource: path, namespace, name, status: responseStatus.code ?? 0 }
}
