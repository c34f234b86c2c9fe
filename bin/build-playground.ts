/** Builds the playground: a folder of static files that any web server serves. `--out DIR` is another folder than `dist-playground`. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { brotliDecompressSync, gzipSync, zstdDecompressSync } from 'node:zlib'
import { bundlePlayground } from './bundle-playground.ts'
import { bundledPackages, thirdPartyLicenses } from './bundled-packages.ts'
import { shippedProjects } from './shipped-projects.ts'

/** What a browser fetches before the first cluster runs. */
const LOADED = ['index.html', 'page.js', 'styles.css', 'worker.js', 'projects.json', 'builtin-schemas.bin.gz']

const root = join(import.meta.dirname, '..')
const { values } = parseArgs({ options: { out: { type: 'string' } } })
const folder = values.out ?? join(root, 'dist-playground')

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const metafiles = await bundlePlayground(folder)
const packages = bundledPackages({ outputs: Object.assign({}, ...metafiles.map(({ outputs }) => outputs)) })
write('THIRD-PARTY-LICENSES.txt', thirdPartyLicenses(packages))
write('projects.json', JSON.stringify(shippedProjects()))
write('builtin-schemas.bin.gz', gzipSync(unpackedSchemas(), { level: 9 }))
write(
  'helm-engine.wasm.gz',
  gzipSync(zstdDecompressSync(source('engine/chart/helm-engine.generated.bin')), { level: 9 }),
)

/**
 * The same layout, whose parts are no longer packed: the page unpacks the whole file. The paths of the OpenAPI documents are left empty, which
 * nothing in the page reads: they would be a tenth of all that it fetches.
 */
function unpackedSchemas(): Buffer {
  const packed = source('core/schema/builtin-schemas.generated.bin')
  const end = 4 + packed.readUInt32BE(0)
  const lines = brotliDecompressSync(packed.subarray(4, end))
  const head = Buffer.alloc(4)
  head.writeUInt32BE(lines.length)
  const paths = brotliDecompressSync(packed.subarray(end)).toString().split('\n')
  return Buffer.concat([head, lines, Buffer.from(paths.map(() => '{}').join('\n'))])
}

function source(path: string): Buffer {
  return readFileSync(join(root, 'src', path))
}

function write(name: string, content: string | Uint8Array): void {
  writeFileSync(join(folder, name), content)
}

const bytes = LOADED.reduce((sum, name) => sum + packedSize(name), 0)
process.stdout.write(`${folder}: ${Math.round(bytes / 1000)} kB compressed before the first cluster runs\n`)

function packedSize(name: string): number {
  const content = readFileSync(join(folder, name))
  return name.endsWith('.gz') ? content.length : gzipSync(content, { level: 9 }).length
}
