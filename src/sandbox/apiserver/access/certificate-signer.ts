import { systemClock } from '../../../core/base/clock.ts'
import { isJsonArray, isJsonObject, type JsonObject } from '../../../core/base/json.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { CONTROLLER_MANAGER } from '../controller-manager.ts'
import { signClientRequest } from '../http/certificates.ts'
import type { ServerState } from '../write/write-request.ts'

const CSR = { group: 'certificates.k8s.io', version: 'v1', kind: 'CertificateSigningRequest' }
const TABLE = 'certificates.k8s.io/certificatesigningrequests'
const SIGNER = 'kubernetes.io/kube-apiserver-client'
const YEAR_SECONDS = 365 * 24 * 3600
/** Certificates are good a little before they were made: clocks differ. */
const LEEWAY = 5 * 60 * 1000

/** Signs approved CertificateSigningRequests for client certificates of this server. */
export class CertificateSigner {
  readonly #state: ServerState
  readonly #caKey: string
  readonly #onError: (error: unknown) => void

  constructor(state: ServerState, caKey: string, onError: (error: unknown) => void) {
    this.#state = state
    this.#caKey = caKey
    this.#onError = onError
  }

  start(): () => void {
    for (const request of this.#state.objects.list(CSR)) this.#consider(request)
    return this.#state.store.subscribe(({ type, current }) => {
      if (type !== 'DELETED' && current.resource === TABLE) this.#consider(current.object)
    })
  }

  #consider(request: KubeObject): void {
    const { signerName } = objectOf(request.spec)
    const { certificate } = objectOf(request.status)
    if (signerName !== SIGNER || certificate !== undefined || !isApproved(request)) return
    this.#sign(request).catch(this.#onError)
  }

  async #sign(request: KubeObject): Promise<void> {
    const { request: encoded, expirationSeconds = YEAR_SECONDS } = objectOf(request.spec)
    const now = systemClock.now()
    const times = { from: now - LEEWAY, until: now + Number(expirationSeconds) * 1000 }
    const pem = await signClientRequest(Buffer.from(String(encoded), 'base64').toString(), this.#caKey, times)
    const latest = this.#state.objects.get(CSR, keyOf(request))
    if (latest?.metadata.uid !== request.metadata.uid || objectOf(latest?.status).certificate !== undefined) return
    const status = { ...objectOf(latest?.status), certificate: Buffer.from(`${pem}\n`).toString('base64') }
    this.#state.objects.update({ ...(latest as KubeObject), status }, CONTROLLER_MANAGER, 'status')
  }
}

function isApproved({ status }: KubeObject): boolean {
  const { conditions } = objectOf(status)
  const types = isJsonArray(conditions) ? conditions.map((each) => objectOf(each).type) : []
  return types.includes('Approved') && !types.includes('Denied')
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value as JsonObject) ? (value as JsonObject) : {}
}
