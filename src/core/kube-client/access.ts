import type { Dispatcher } from 'undici'

/** What a request needs to be let in. */
export interface Access {
  readonly headers: { readonly [name: string]: string }
  readonly tls: TlsMaterial
}

export interface TlsMaterial {
  readonly ca?: string | Buffer | undefined
  readonly cert?: string | Buffer | undefined
  readonly key?: string | Buffer | undefined
  readonly passphrase?: string | undefined
  readonly servername?: string | undefined
  readonly rejectUnauthorized?: boolean | undefined
}

export interface Credentials {
  /** What is valid now, at once if it is known. As long as the TLS material stays the same, so does the object `tls`. */
  current(): Access | Promise<Access>
  /** After the server refused `refused` (401): whether there is something newer to try. */
  renew(refused: Access): Promise<boolean>
  /** Ends what is under way: callers that wait are refused. */
  close(): void
}

/** Credentials that never change. */
export function fixedCredentials(access: Access): Credentials {
  return { current: () => access, renew: async () => false, close: () => undefined }
}

/** Where a server is and how to get in. */
export interface ServerAccess {
  readonly url: URL
  readonly credentials: Credentials
  /** An HTTP proxy on the way. */
  readonly proxyUrl?: string | undefined
  /** Carries requests in place of connections of our own. Destroyed on close. */
  readonly dispatcher?: Dispatcher | undefined
  /** Name of the kubeconfig's context. Absent: the access is a pod's, or comes from no kubeconfig. */
  readonly context?: string | undefined
  /** Namespace of the kubeconfig's context, or of the pod. */
  readonly namespace?: string | undefined
}
