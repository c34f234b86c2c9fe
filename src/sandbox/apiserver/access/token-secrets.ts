import { isJsonObject, type JsonObject } from '../../../core/base/json.ts'
import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { CONTROLLER_MANAGER } from '../controller-manager.ts'
import { DeferredWork } from '../lifecycle/deferred-work.ts'
import type { StoredObject } from '../store/stored-object.ts'
import type { ServerState } from '../write/write-request.ts'
import { API_AUDIENCE, type TokenBinding, type Tokens } from './tokens.ts'

const SECRET = { group: '', version: 'v1', kind: 'Secret' }
const ACCOUNT = { group: '', version: 'v1', kind: 'ServiceAccount' }
const TYPE = 'kubernetes.io/service-account-token'
const NAME = 'kubernetes.io/service-account.name'
const UID = 'kubernetes.io/service-account.uid'

/** Fills Secrets that ask for the token of a ServiceAccount, and removes those whose account is not there. */
export class TokenSecrets {
  readonly #state: ServerState
  readonly #tokens: Tokens
  /** PEM. */
  readonly #ca: string
  readonly #work: DeferredWork<string>

  constructor(
    state: ServerState,
    { tokens, ca }: { readonly tokens: Tokens; readonly ca: string },
    onError: (error: unknown) => void,
  ) {
    this.#state = state
    this.#tokens = tokens
    this.#ca = ca
    this.#work = new DeferredWork((key) => this.#process(key), onError)
  }

  start(): () => void {
    this.#noteAll(undefined)
    const unsubscribe = this.#state.store.subscribe(({ type, current }) => {
      if (current.resource === '/secrets' && type !== 'DELETED') this.#note(current)
      if (current.resource === '/serviceaccounts' && type === 'DELETED') this.#noteAll(current.namespace)
    })
    return () => {
      unsubscribe()
      this.#work.stop()
    }
  }

  #noteAll(namespace: string | undefined): void {
    for (const stored of this.#state.store.table('/secrets').list(namespace)) this.#note(stored)
  }

  #note({ namespace, name, object }: StoredObject): void {
    if (object.type === TYPE) this.#work.add(`${namespace}/${name}`)
  }

  #process(text: string): void {
    const [namespace = '', name = ''] = text.split('/')
    const { objects } = this.#state
    const secret = objects.get(SECRET, { namespace, name })
    if (!secret) return
    const { annotations = {}, uid } = secret.metadata
    const account = objects.get(ACCOUNT, { namespace, name: String(annotations[NAME]) })
    const isMeant = annotations[UID] === undefined || annotations[UID] === account?.metadata.uid
    if (account && isMeant) this.#fill(secret, account)
    else objects.delete(SECRET, { namespace, name }, { uid })
  }

  #fill(secret: KubeObject, account: KubeObject): void {
    const { namespace } = keyOf(secret)
    const data: JsonObject = isJsonObject(secret.data) ? secret.data : {}
    const ca = base64(this.#ca)
    if (data['ca.crt'] === ca && data.namespace && data.token) return
    const filled = {
      ...data,
      'ca.crt': ca,
      namespace: data.namespace || base64(namespace),
      token: data.token || base64(this.#issue(secret, account)),
    }
    const annotations = { ...secret.metadata.annotations, [UID]: String(account.metadata.uid) }
    this.#state.objects.update(
      { ...secret, metadata: { ...secret.metadata, annotations }, data: filled } as KubeObject,
      CONTROLLER_MANAGER,
    )
  }

  /** A token that ends with the Secret, or with the account. */
  #issue(secret: KubeObject, account: KubeObject): string {
    const { namespace = '', name = '', uid = '' } = account.metadata
    const subject = { namespace, name, uid, secret: bindingOf(secret) }
    const terms = { audiences: [API_AUDIENCE], issued: this.#state.clock.now(), expires: undefined }
    return this.#tokens.issue(subject, terms)
  }
}

function bindingOf({ metadata: { name = '', uid = '' } }: KubeObject): TokenBinding {
  return { name, uid }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
