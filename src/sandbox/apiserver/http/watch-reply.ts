import type { JsonObject } from '../../../core/base/json.ts'
import type { ApiError } from '../../../core/kube/api-error.ts'
import { apiVersionOf } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { expired, statusError } from '../api-status.ts'
import { presentAll, presentObject, type ServedResource } from '../served-resource.ts'
import { listObjects, revisionProblem, tooLarge } from '../store/list-objects.ts'
import type { StoredObject } from '../store/stored-object.ts'
import { WatchCursor } from '../store/watch-cursor.ts'
import type { WatchHub } from '../store/watch-hub.ts'
import type { ServerState } from '../write/write-request.ts'
import type { Accepted } from './accept.ts'
import type { ApiRequest } from './api-request.ts'
import type { ListOptions } from './list-options.ts'
import { eventBytes } from './object-bytes.ts'
import { tableOptions } from './object-reply.ts'
import { partialObject } from './partial-object.ts'
import type { StreamReply } from './reply.ts'
import { toTable } from './table.ts'
import { WatchStream } from './watch-stream.ts'

export interface WatchRequest {
  readonly request: ApiRequest
  readonly resource: ServedResource
  readonly namespace: string | undefined
  readonly options: ListOptions
  readonly accepted: Accepted
}

/** A stream of changes; a version that is forgotten is answered by a stream with one ERROR event. */
export function watchReply(state: ServerState, hub: WatchHub, watch: WatchRequest): StreamReply {
  const { resource, namespace, options } = watch
  const { matches } = options.selection
  const wanted = parseWatchRevision(options.resourceVersion)
  const { store } = state
  if (wanted > store.revision) {
    const refusal = tooLarge(wanted, store.revision)
    // The real server would wait for it; here it is from before a restart, and a client would wait for ever.
    if (options.sendInitialEvents !== true) throw refusal
    return errorStream(refusal)
  }
  const { history } = store.table(resource.table)
  const startsWithState = options.sendInitialEvents ?? wanted === 0
  if (!startsWithState && wanted > 0 && wanted < history.floor)
    return errorStream(expired(`too old resource version: ${wanted} (${history.floor})`))
  if (watch.accepted.transform?.kind === 'PartialObjectMetadataList') return emptyStream()
  const encode = encoderOf(state, watch)
  const initial = startsWithState ? initialObjects(state, watch) : []
  presentAll(
    resource,
    initial.map(({ object }) => object),
  )
  const since = startsWithState || wanted === 0 ? store.revision : wanted
  const cursor = new WatchCursor(history, since, { namespace, matches })
  const stream = new WatchStream({
    cursor,
    initial,
    clock: state.clock,
    encode,
    bookmark: (initialEnd) => bookmarkBytes(watch, initialEnd ? since : store.revision, initialEnd),
    isServed: () => state.registry.ofTable(resource.table) !== undefined,
    sendBookmarks: options.allowWatchBookmarks,
    announceInitialEnd: options.sendInitialEvents === true && options.allowWatchBookmarks,
    timeoutSeconds: options.timeoutSeconds,
  })
  return {
    status: 200,
    contentType: 'application/json',
    stream: (sink) => stream.run(sink, (listener) => hub.add(resource.table, listener)),
  }
}

/**
 * The version that a watch or a GET asks for.
 *
 * @throws ApiError 500, where a list answers with 400
 */
export function parseWatchRevision(text: string): number {
  const problem = revisionProblem(text)
  if (problem === undefined) return Number(text)
  throw statusError(500, '', problem)
}

function initialObjects(state: ServerState, { resource, namespace, options }: WatchRequest): readonly StoredObject[] {
  const { matches } = options.selection
  const query = {
    table: resource.table,
    namespace,
    matches,
    limit: 0,
    continueToken: '',
    resourceVersion: '',
    exact: false,
  }
  return listObjects(state.store, query).items
}

/** Once a watch is accepted, its errors are events. */
function errorStream({ status }: ApiError): StreamReply {
  return {
    status: 200,
    contentType: 'application/json',
    stream: (sink) => {
      sink.write(Buffer.from(`${JSON.stringify({ type: 'ERROR', object: status })}\n`))
      sink.end()
    },
  }
}

/** A change is no list: the real server ends such a watch without a word. */
function emptyStream(): StreamReply {
  return { status: 200, contentType: 'application/json', stream: (sink) => sink.end() }
}

type Encode = (type: string, stored: StoredObject) => Buffer

function encoderOf(state: ServerState, { request, resource, accepted }: WatchRequest): Encode {
  const { transform } = accepted
  if (!transform) return (type, stored) => eventBytes(type, resource, stored)
  const apiVersion = apiVersionOf(transform)
  let withColumns = true
  const convert = (object: KubeObject): JsonObject => {
    if (transform.kind !== 'Table') return partialObject(object, apiVersion)
    const options = { ...tableOptions(request, transform, state.clock.now()), withColumns }
    withColumns = false
    return toTable(resource, [object], { resourceVersion: object.metadata.resourceVersion }, options)
  }
  return (type, stored) => eventLine(type, convert(presentObject(resource, stored.object)))
}

const INITIAL_END = { annotations: { 'k8s.io/initial-events-end': 'true' } }

function bookmarkBytes({ resource, accepted }: WatchRequest, revision: number, initialEnd: boolean): Buffer {
  const metadata = { resourceVersion: String(revision), ...(initialEnd && INITIAL_END) }
  const object = { kind: resource.kind, apiVersion: apiVersionOf(resource), metadata }
  const { transform } = accepted
  if (!transform) return eventLine('BOOKMARK', object)
  if (transform.kind !== 'Table') return eventLine('BOOKMARK', partialObject(object, apiVersionOf(transform)))
  const options = { apiVersion: apiVersionOf(transform), includeObject: 'Object', now: 0 } as const
  return eventLine('BOOKMARK', toTable(resource, [object], { resourceVersion: String(revision) }, options))
}

function eventLine(type: string, object: JsonObject): Buffer {
  return Buffer.from(`${JSON.stringify({ type, object })}\n`)
}
