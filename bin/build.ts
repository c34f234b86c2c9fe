/** Builds the release artefact: one bundle without dependencies, and the data it reads. `--out DIR` instead of `dist`. */

import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')
const { values } = parseArgs({ options: { out: { type: 'string', default: join(root, 'dist') } } })
const dist = values.out
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

mkdirSync(dist, { recursive: true })
const result = await build({
  entryPoints: [join(root, 'src/cli/main.ts')],
  outfile: join(dist, 'rolebook.mjs'),
  bundle: true,
  platform: 'node',
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
copyFileSync(join(root, 'src/schema/builtin-schemas.generated.bin'), join(dist, 'builtin-schemas.generated.bin'))
const bytes = Object.values(result.metafile.outputs).reduce((sum, output) => sum + output.bytes, 0)
process.stdout.write(`${join(dist, 'rolebook.mjs')}: ${Math.round(bytes / 1024)} KiB\n`)
