import type { KubeClient } from '../../core/kube/client.ts'

type Layer = (client: KubeClient) => KubeClient

/** What the engine puts around the client that it was given. Each part of the engine adds the layers that it knows of. */
export interface ClientLayers {
  /** Sends each write as a dry run, and logs what it would change. Of the process. */
  readonly dryRun?: Layer | undefined
  /** Counts writes for the metrics. Of the process. */
  readonly metrics?: Layer | undefined
  /** Cuts answers that are nested too deeply to be walked. Of the process. */
  readonly nesting?: Layer | undefined
  /** Keeps back writes of a process that does not lead any more. Of a term of leadership. */
  readonly leadership?: Layer | undefined
  /** Notices kinds that the server does not serve any more. Of the controller of a kind. */
  readonly unserved?: Layer | undefined
  /** Logs warnings of the server without the secrets of the run. Of the reconciler of a kind. */
  readonly warnings?: Layer | undefined
  /** Counts the requests of each run. Of the reconciler of a kind. */
  readonly requests?: Layer | undefined
}

/**
 * From the transport outwards. A request passes the layers in the opposite order, an answer in this one: leadership is checked
 * for dry runs, too; a write that leadership keeps back is counted for its run, but not in the metrics of writes.
 */
const ORDER = ['dryRun', 'metrics', 'nesting', 'leadership', 'unserved', 'warnings', 'requests'] as const

/** The client with these layers around it. */
export function layered(client: KubeClient, layers: ClientLayers): KubeClient {
  return ORDER.reduce((inner, name) => layers[name]?.(inner) ?? inner, client)
}
