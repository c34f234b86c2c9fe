import type { KubeObject } from '../../kube/object.ts'
import { checkEscalation } from '../access/escalation.ts'
import type { Rbac } from '../access/rbac.ts'
import type { Admission, AdmittedChange, ServerState, WriteRequest } from '../write/write-request.ts'

export interface AdmissionOptions {
  /** Absent: nobody grants more than they have, because everybody has everything. */
  readonly rbac: Rbac | undefined
}

/** All admission of the server, in the order of the real one. */
export class AdmissionChain implements Admission {
  readonly #options: AdmissionOptions

  constructor(options: AdmissionOptions) {
    this.#options = options
  }

  mutate(_state: ServerState, request: WriteRequest, change: AdmittedChange): KubeObject {
    const { operation, object, old } = change
    const { rbac } = this.#options
    if (rbac && operation !== 'DELETE') checkEscalation(rbac, request, object, old)
    return object
  }

  validate(_state: ServerState, _request: WriteRequest, _change: AdmittedChange): void {}
}
