import { existsSync, readFileSync } from 'node:fs'
import { HelmRenderer } from '../../engine/chart/helm-renderer.ts'
import { refuseOldNode } from '../../engine/chart/refuse-old-node.ts'

/** The renderer of charts of this process. Its module is read when the first chart is. */
export function sharedHelmRenderer(): HelmRenderer {
  shared ??= new HelmRenderer({ module: readModule })
  return shared
}

let shared: HelmRenderer | undefined

/** It lies beside the bundle in a release, and in `src/engine/chart` in a checkout. */
function readModule(): Uint8Array {
  refuseOldNode()
  const name = 'helm-engine.generated.bin'
  const beside = new URL(name, import.meta.url)
  return readFileSync(existsSync(beside) ? beside : new URL(`../../engine/chart/${name}`, import.meta.url))
}
