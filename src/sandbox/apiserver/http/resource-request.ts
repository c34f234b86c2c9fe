import type { Authorizer } from '../access/authorizer.ts'
import type { Tokens } from '../access/tokens.ts'
import type { ServedResource } from '../served-resource.ts'
import type { WatchHub } from '../store/watch-hub.ts'
import type { ServerState } from '../write/write-request.ts'
import type { ApiPath } from './api-path.ts'
import type { ApiRequest } from './api-request.ts'

/** What the handlers of resources work with. */
export interface ResourceServer {
  readonly state: ServerState
  readonly hub: WatchHub
  readonly tokens: Tokens
  readonly authorizer: Authorizer
}

export interface ResourceRequest {
  readonly request: ApiRequest
  readonly resource: ServedResource
  readonly path: ApiPath
}
