/**
 * Builds the release artefact: the program, its pages and the library as bundles without dependencies, types, the data that they read, and the licences of both.
 * `--out DIR` adds it to a folder instead of making `dist` anew.
 */
import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { bundle } from './bundle.ts'
import { bundledPackages, thirdPartyLicenses } from './bundled-packages.ts'
import { publicDeclarations } from './public-declarations.ts'

/** Files that the program reads while it runs, and the licences of what the renderer of Helm charts is compiled of. */
const DATA = [
  'core/schema/builtin-schemas.generated.bin',
  'engine/chart/helm-engine.generated.bin',
  'engine/chart/helm-engine.generated.txt',
]

const root = join(import.meta.dirname, '..')
const { values } = parseArgs({ options: { out: { type: 'string' } } })
const dist = values.out ?? join(root, 'dist')

// What an earlier build left would be packed.
if (values.out === undefined) rmSync(dist, { recursive: true, force: true })
mkdirSync(dist, { recursive: true })
const [bundled, declarations] = await Promise.all([bundle(dist), publicDeclarations()])
const packages = bundledPackages(bundled)
for (const [path, text] of declarations) {
  mkdirSync(dirname(join(dist, 'types', path)), { recursive: true })
  writeFileSync(join(dist, 'types', path), text)
}
writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), thirdPartyLicenses(packages))
for (const file of DATA) copyFileSync(join(root, 'src', file), join(dist, basename(file)))

const bytes = readdirSync(dist).reduce((sum, name) => sum + statSync(join(dist, name)).size, 0)
process.stdout.write(`${dist}: ${Math.round(bytes / 1024)} KiB, ${packages.length} packages in the bundle\n`)
