/**
 * Prints the list of what is in the bundle, in the format CycloneDX: every dependency, and none that is for development alone,
 * and what the renderer of Helm charts is compiled of. The same sources give the same list.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { noticedParts } from './helm-engine-notice.ts'

interface Manifest {
  readonly name: string
  readonly devDependencies?: object
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devDependencies?: object }>>
}

/** What is read of it; all else is kept. */
interface Sbom {
  readonly serialNumber: string
  readonly metadata: { readonly timestamp: string; readonly component: { readonly 'bom-ref': string } }
  readonly components: readonly object[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

const root = join(import.meta.dirname, '..')
const read = (name: string): string => readFileSync(join(root, name), 'utf8')
const { devDependencies: _ours, ...manifest } = JSON.parse(read('package.json')) as Manifest
const modules = noticedParts(read('src/chart/helm-engine.generated.txt')).map(goComponent)
process.stdout.write(`${JSON.stringify(withModules(named(sbomOfPackages())), undefined, 2)}\n`)

/** `npm sbom --omit dev` leaves out what is needed by both (npm 11.19), so npm is shown a project without the latter. */
function sbomOfPackages(): Sbom {
  const { packages, ...lock } = JSON.parse(read('package-lock.json')) as Lock
  const kept = Object.entries(packages).filter(([, { dev }]) => dev !== true)
  const shown = kept.map(([path, { devDependencies: _theirs, ...one }]) => [path, one])
  const folder = mkdtempSync(join(tmpdir(), 'rolebook-sbom-'))
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages: Object.fromEntries(shown) }))
    const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
    return JSON.parse(execFileSync('npm', args, { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** npm calls a project as its folder, and gives each list a time and a number of its own. */
function named({ serialNumber: _random, ...sbom }: Sbom) {
  const { timestamp: _now, ...metadata } = sbom.metadata
  return { ...sbom, metadata: { ...metadata, component: { ...metadata.component, name: manifest.name } } }
}

function withModules(sbom: ReturnType<typeof named>) {
  const refs = modules.map((module) => module['bom-ref'])
  const dependencies = sbom.dependencies.map(({ ref, dependsOn }) =>
    ref === sbom.metadata.component['bom-ref'] ? { ref, dependsOn: [...dependsOn, ...refs] } : { ref, dependsOn },
  )
  return { ...sbom, components: [...sbom.components, ...modules], dependencies }
}

/** Scanners know Go itself by its library, whose versions have no `v`. */
function goComponent({ name, version }: { readonly name: string; readonly version: string }) {
  const path = name === 'Go' ? 'stdlib' : name
  const purl = `pkg:golang/${path}@${encodeURIComponent(version)}`
  return { 'bom-ref': purl, type: 'library', name: path, version, scope: 'required', purl }
}
