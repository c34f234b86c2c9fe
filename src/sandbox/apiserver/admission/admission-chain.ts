import type { JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { Authorizer } from '../access/authorizer.ts'
import { checkEscalation } from '../access/escalation.ts'
import type { Rbac } from '../access/rbac.ts'
import { userInfo } from '../access/reviews.ts'
import type { Admission, AdmittedChange, ServerState, WriteRequest } from '../write/write-request.ts'
import { type AdmissionAttributes, admissionAttributes } from './attributes.ts'
import { checkLimits, withDefaultLimits } from './limit-ranges.ts'
import { isExempt } from './matching.ts'
import { checkPodResize } from './pod-resize.ts'
import { checkPodSecurity } from './pod-security/pod-security.ts'
import { applyMutatingPolicies } from './policies/mutating-policies.ts'
import { askValidatingPolicies } from './policies/validating-policies.ts'
import { checkQuotas } from './quota/quotas.ts'
import { isSame, Reinvocation } from './reinvocation.ts'
import { applyMutatingWebhooks } from './webhooks/mutating-webhooks.ts'
import { askValidatingWebhooks } from './webhooks/validating-webhooks.ts'

export interface AdmissionOptions {
  /** Absent: every user has all rights, so no user can grant more than they have. */
  readonly rbac: Rbac | undefined
  readonly authorizer: Authorizer
}

/** All admission of the server, in the order of the real one. */
export class AdmissionChain implements Admission {
  readonly #options: AdmissionOptions

  constructor(options: AdmissionOptions) {
    this.#options = options
  }

  mutate(state: ServerState, request: WriteRequest, change: AdmittedChange): KubeObject {
    const { rbac, authorizer } = this.#options
    const object = withRequester(request, change, mutated({ state, authorizer }, request, change))
    if (rbac && change.operation !== 'DELETE') checkEscalation(rbac, request, object, change.old)
    return object
  }

  validate(state: ServerState, request: WriteRequest, change: AdmittedChange): void {
    const { authorizer } = this.#options
    const attributes = admissionAttributes({ state, authorizer }, request, change)
    if (isExempt(attributes)) return
    checkLimits(attributes)
    checkPodSecurity(attributes)
    checkPodResize(attributes)
    askValidatingPolicies(attributes)
    askValidatingWebhooks(attributes)
    checkQuotas(attributes)
  }
}

/** A CertificateSigningRequest names the user who made it. The server replaces what the body says about it. */
function withRequester(
  { resource, user }: WriteRequest,
  { operation }: AdmittedChange,
  object: KubeObject,
): KubeObject {
  if (resource.table !== 'certificates.k8s.io/certificatesigningrequests' || operation !== 'CREATE') return object
  const { username, uid, groups, extra, ...spec } = { ...(object.spec as JsonObject) }
  return { ...object, spec: { ...spec, ...userInfo(user) } } as KubeObject
}

type Server = Pick<AdmissionAttributes, 'state' | 'authorizer'>

/** Policies, then webhooks. Those that came before a change may be called once more. */
function mutated(server: Server, request: WriteRequest, change: AdmittedChange): KubeObject {
  const attributes = admissionAttributes(server, request, change)
  if (isExempt(attributes)) return change.object
  const limited = withDefaultLimits(attributes)
  const policies = new Reinvocation()
  const webhooks = new Reinvocation()
  const mutateOnce = (given: KubeObject | undefined, isSecond: boolean): KubeObject | undefined => {
    const object = applyMutatingPolicies({ ...attributes, object: given }, { isSecond, reinvocation: policies })
    return applyMutatingWebhooks({ ...attributes, object }, { isSecond, reinvocation: webhooks })
  }
  const first = mutateOnce(limited, false)
  if (!first) return change.object
  if (first === attributes.object) return change.object
  return isSame(first, limited) ? first : (mutateOnce(first, true) as KubeObject)
}
