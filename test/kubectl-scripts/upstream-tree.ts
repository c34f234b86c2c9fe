import { chmodSync, cpSync, globSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { buildBinaries } from '../control-plane/binaries.ts'
import { buildProgram, go } from '../control-plane/go-build.ts'

/** What the scripts read: themselves, their library and their fixtures. */
const PARTS = ['hack', 'test/cmd', 'test/fixtures', 'test/e2e/testing-manifests', 'third_party/forked/shell2junit']
const PLUGINS = 'test/fixtures/pkg/kubectl/plugins'

/** The module in the cache of Go. */
export function upstreamFolder(): string {
  return JSON.parse(go('kube', 'mod', 'download', '-json', 'k8s.io/kubernetes')).Dir
}

/**
 * Lays out in `folder` what kubectl's scripts expect around them, from the module that the control plane is built from.
 * They write beside what they read, which the cache of Go is not for.
 */
export function writeUpstreamTree(folder: string): void {
  const source = upstreamFolder()
  for (const part of PARTS) cpSync(join(source, part), join(folder, part), { recursive: true })
  restoreModes(folder)
  const programs = {
    kubectl: buildBinaries().paths.kubectl,
    'kubectl-convert': buildProgram('kubectl-convert', {
      module: 'kube',
      package: 'k8s.io/kubernetes/cmd/kubectl-convert',
    }),
  }
  const bin = join(folder, '_output/bin')
  mkdirSync(bin, { recursive: true })
  for (const [name, path] of Object.entries(programs)) symlinkSync(path, join(bin, name))
}

/** A module has no empty folders, and its files can be read only. */
function restoreModes(folder: string): void {
  for (const path of globSync('**/*', { cwd: folder })) chmodSync(join(folder, path), 0o755)
  mkdirSync(join(folder, PLUGINS, 'empty'), { recursive: true })
}
