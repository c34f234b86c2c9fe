/** Builds the playground: a folder of static files that any web server serves. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { brotliDecompressSync, gzipSync, zstdDecompressSync } from 'node:zlib'
import { bundlePlayground } from './bundle-playground.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'dist/playground')

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
await bundlePlayground(folder)
write('builtin-schemas.bin.gz', gzipSync(unpackedSchemas(), { level: 9 }))
write('helm-engine.wasm.gz', gzipSync(zstdDecompressSync(source('engine/chart/helm-engine.generated.bin')), { level: 9 }))

/** The same layout, whose parts are no longer packed: the page unpacks the whole file. */
function unpackedSchemas(): Buffer {
  const packed = source('core/schema/builtin-schemas.generated.bin')
  const end = 4 + packed.readUInt32BE(0)
  const lines = brotliDecompressSync(packed.subarray(4, end))
  const head = Buffer.alloc(4)
  head.writeUInt32BE(lines.length)
  return Buffer.concat([head, lines, brotliDecompressSync(packed.subarray(end))])
}

function source(path: string): Buffer {
  return readFileSync(join(root, 'src', path))
}

function write(name: string, content: string | Uint8Array): void {
  writeFileSync(join(folder, name), content)
}

process.stdout.write(`${folder}\n`)
