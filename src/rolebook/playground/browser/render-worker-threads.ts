/** Stands for `node:worker_threads` in the worker that renders charts: its first message is what it was started with. */
import type { WorkerSetup } from '../../../engine/chart/worker-messages.ts'

interface Scope {
  postMessage(message: unknown): void
  addEventListener(
    name: 'message',
    listener: (event: { readonly data: unknown }) => void,
    options?: { readonly once: boolean },
  ): void
}

const scope = globalThis as unknown as Scope

export const workerData = await new Promise<WorkerSetup>((resolve) => {
  scope.addEventListener('message', ({ data }) => resolve(data as WorkerSetup), { once: true })
})

export const parentPort = {
  postMessage: (message: unknown) => scope.postMessage(message),
  on: (name: 'message', listener: (message: unknown) => void) => {
    scope.addEventListener(name, ({ data }) => listener(data))
  },
}
