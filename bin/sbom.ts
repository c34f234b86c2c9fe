/**
 * Prints the list of what is in the bundle, in the format CycloneDX: every package whose code it holds, and the modules that
 * the renderer of Helm charts is compiled of. The same sources give the same list.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { bundle } from './bundle.ts'
import { bundledPackages, idOf } from './bundled-packages.ts'
import { noticedParts } from './helm-engine-notice.ts'

/** What is read of it; all else is kept. */
interface Sbom {
  readonly serialNumber: string
  readonly metadata: { readonly timestamp: string; readonly component: { readonly 'bom-ref': string } }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

interface Component {
  readonly 'bom-ref': string
  readonly scope: string
  readonly properties?: readonly { readonly name: string }[]
}

const root = join(import.meta.dirname, '..')
const read = (name: string): string => readFileSync(join(root, name), 'utf8')
const { name } = JSON.parse(read('package.json')) as { readonly name: string }
const modules = noticedParts(read('src/engine/chart/helm-engine.generated.txt')).map(goComponent)
const packages = new Set(bundledPackages(await bundle('dist', { write: false })).map(idOf))
process.stdout.write(`${JSON.stringify(withModules(bundled(named(sbomOfCheckout()))), undefined, 2)}\n`)

/** Of everything that `npm ci` installs. */
function sbomOfCheckout(): Sbom {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  return JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }))
}

/** npm calls a project as its folder, and gives each list a time and a number of its own. */
function named({ serialNumber: _random, ...sbom }: Sbom) {
  const { timestamp: _now, ...metadata } = sbom.metadata
  return { ...sbom, metadata: { ...metadata, component: { ...metadata.component, name } } }
}

/** @throws Error when a package of the bundle is not in the lock file */
function bundled(sbom: ReturnType<typeof named>) {
  const components = sbom.components.filter((one) => packages.has(one['bom-ref'])).map(required)
  const missing = packages.difference(new Set(components.map((one) => one['bom-ref'])))
  if (missing.size > 0) throw new Error(`package-lock.json lacks ${[...missing].join(', ')}: run 'npm install'`)
  const kept = sbom.dependencies.filter(({ ref }) => packages.has(ref) || ref === sbom.metadata.component['bom-ref'])
  const dependencies = kept.map(({ ref, dependsOn }) => ({
    ref,
    dependsOn: dependsOn.filter((one) => packages.has(one)),
  }))
  return { ...sbom, components, dependencies }
}

/** npm takes it for a development dependency, because those who install the bundle do without. */
function required({ properties = [], ...component }: Component): Component {
  const kept = properties.filter((one) => one.name !== 'cdx:npm:package:development')
  return { ...component, scope: 'required', properties: kept }
}

function withModules(sbom: ReturnType<typeof bundled>) {
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
