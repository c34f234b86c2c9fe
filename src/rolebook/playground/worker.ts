/** The worker of the page: the sandbox and the operator, with what a browser has in place of Node's parts. */
import './browser/globals.ts'
import { HelmRenderer } from '../../engine/chart/helm-renderer.ts'
import { loadBuiltinSchemas } from '../../sandbox/cluster/load-builtin-schemas.ts'
import { fetchUnpacked } from './browser/fetch-unpacked.ts'
import { keepBuiltinSchemas } from './browser/load-builtin-schemas.ts'
import { memoryFiles } from './browser/memory-files.ts'
import { Playground } from './playground.ts'
import type { ProjectTools } from './project-folder.ts'
import type { ProjectTexts, RequestMessage, WorkerMessage } from './protocol.ts'

const FOLDER = '/project'

interface Scope {
  postMessage(message: WorkerMessage): void
  onmessage: ((event: { readonly data: RequestMessage }) => void) | null
}

const scope = globalThis as unknown as Scope
let helmEngine: Uint8Array | undefined

const charts = new HelmRenderer({
  module: () => {
    if (!helmEngine) throw new Error('the renderer of charts is not fetched')
    return helmEngine
  },
  limits: { workers: 1 },
})

const schemas = fetchUnpacked('builtin-schemas.bin.gz').then(keepBuiltinSchemas)

/** The renderer of charts is larger than all the rest: only a project with charts fetches it. */
async function place(files: ProjectTexts): Promise<ProjectTools> {
  await schemas
  if (Object.keys(files).some((path) => path.includes('/charts/'))) {
    helmEngine ??= await fetchUnpacked('helm-engine.wasm.gz')
  }
  memoryFiles.replace(Object.fromEntries(Object.entries(files).map(([path, text]) => [`${FOLDER}/${path}`, text])))
  return { folder: FOLDER, schemas: loadBuiltinSchemas(), charts }
}

const playground = new Playground({ place, send: (message) => scope.postMessage(message) })
scope.onmessage = ({ data }) => void playground.handle(data)
