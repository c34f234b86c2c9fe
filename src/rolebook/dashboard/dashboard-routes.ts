import { randomHex } from '../../core/base/hash.ts'
import type { JsonObject } from '../../core/base/json.ts'
import type { Reader } from '../../core/kube/client.ts'
import {
  type AdminAnswer,
  type AdminRequest,
  type AdminRoute,
  jsonAnswer,
  statusAnswer,
} from '../../engine/runtime/admin-route.ts'
import { keyOf } from '../ui/model.ts'
import { Collector, type CollectorOptions } from './collector.ts'
import { EventStream } from './event-stream.ts'
import { detailsOf, readEvents } from './resource-details.ts'
import { nameOf } from './resource-row.ts'

/** A file of the page. */
export interface PageFile {
  readonly contentType: string
  readonly text: string
}

export interface DashboardOptions extends CollectorOptions {
  readonly client: Pick<Reader, 'list'>
  /** The files of the page by name. */
  readonly files: ReadonlyMap<string, PageFile>
}

/** Where the dashboard lies. The right to `get` it is the right to read it. */
export const DASHBOARD_PATH = '/ui/'

/** Pages that are kept up to date at the same time. */
const MOST_STREAMS = 32
/** Requests that may ask the API server at the same time. */
const MOST_DETAILS = 8

/** Nothing but what this server sends runs, or is loaded. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The page and what it asks for: the files are for everybody, what the operator knows is not. */
export function dashboardRoutes(options: DashboardOptions): readonly AdminRoute[] {
  const collector = new Collector(options)
  return [
    { path: '/', access: 'public', handle: () => redirect(DASHBOARD_PATH) },
    ...[...options.files].map(([name, file]) => fileRoute(name, file)),
    eventsRoute(collector, options),
    detailsRoute(collector, options),
  ]
}

function redirect(Location: string): AdminAnswer {
  return { status: 302, body: '', contentType: 'text/plain; charset=utf-8', headers: { Location } }
}

function fileRoute(name: string, { contentType, text }: PageFile): AdminRoute {
  const path = `${DASHBOARD_PATH}${name === 'index.html' ? '' : name}`
  const headers = { 'Content-Security-Policy': POLICY, 'Referrer-Policy': 'no-referrer' }
  // `/ui/` is an exact path as well: what is below it and no file is not there.
  const handle = (request: AdminRequest): AdminAnswer =>
    request.path === path
      ? { status: 200, body: text, contentType, headers }
      : statusAnswer(404, 'there is nothing at this path')
  return { path, access: 'public', handle }
}

function eventsRoute(collector: Collector, { clock }: DashboardOptions): AdminRoute {
  const epoch = randomHex(8)
  let count = 0
  return {
    path: `${DASHBOARD_PATH}events`,
    access: 'authorized',
    handle(request) {
      if (count >= MOST_STREAMS) return statusAnswer(503, 'cannot answer: too many pages are open (close some)')
      const events = new EventStream(request.header('last-event-id'), { collector, clock, epoch })
      return {
        ...{ status: 200, contentType: 'text/event-stream', body: '' },
        async stream(send, signal) {
          count++
          await events.run(send, signal).finally(() => count--)
        },
      }
    },
  }
}

/** `/ui/resource/<group>/<kind>/<namespace>/<name>`, where an empty part stays empty. */
function detailsRoute(collector: Collector, options: DashboardOptions): AdminRoute {
  const path = `${DASHBOARD_PATH}resource/`
  let busy = 0
  return {
    path,
    access: 'authorized',
    async handle(request) {
      if (busy >= MOST_DETAILS) return statusAnswer(503, 'cannot answer: too many requests at once (try again)')
      busy++
      try {
        return await answer(decoded(request.path.slice(path.length)), request, { ...options, collector })
      } finally {
        busy--
      }
    },
  }
}

async function answer(
  key: string | undefined,
  { signal }: AdminRequest,
  { collector, operator, history, client, clock }: DashboardOptions & { readonly collector: Collector },
): Promise<AdminAnswer> {
  const found = collector.find((resource) => keyOf(nameOf(resource)) === key)
  if (!found) return statusAnswer(404, 'there is no such resource')
  const { resource, role } = found
  const details = detailsOf({
    ...{ resource, role, now: clock.now() },
    objects: operator.objectsOf(resource.metadata.uid ?? ''),
    history: history.of(nameOf(resource)) ?? { runs: [], skipped: 0 },
    events: await readEvents(resource, { client, signal }),
  })
  return jsonAnswer(200, details as unknown as JsonObject)
}

function decoded(path: string): string | undefined {
  try {
    return path.split('/').map(decodeURIComponent).join('/')
  } catch {
    return undefined
  }
}
