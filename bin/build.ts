/** Builds the release artefact: one bundle without dependencies, and the data it reads. `--out DIR` instead of `dist`. */

import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')
const { values } = parseArgs({ options: { out: { type: 'string', default: join(root, 'dist') } } })
const dist = values.out
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

mkdirSync(dist, { recursive: true })
const result = await build({
  entryPoints: {
    rolebook: join(root, 'src/cli/main.ts'),
    // A thread needs a file of its own.
    'render-worker': join(root, 'src/chart/render-worker.ts'),
  },
  outdir: dist,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  // As modules, where a library comes as both: what nobody uses of them is left out.
  mainFields: ['module', 'main'],
  target: 'node22.19',
  format: 'esm',
  minify: true,
  keepNames: true,
  sourcemap: false,
  legalComments: 'linked',
  metafile: true,
  define: { 'globalThis.ROLEBOOK_VERSION': JSON.stringify(version) },
  // CommonJS dependencies call `require` for Node's own modules.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
})
const data = [
  'schema/builtin-schemas.generated.bin',
  'chart/helm-engine.generated.bin',
  'chart/helm-engine.generated.txt',
]
for (const file of data) {
  copyFileSync(join(root, 'src', file), join(dist, basename(file)))
}
const bytes = Object.values(result.metafile.outputs).reduce((sum, output) => sum + output.bytes, 0)
process.stdout.write(`${join(dist, 'rolebook.mjs')}: ${Math.round(bytes / 1024)} KiB\n`)
