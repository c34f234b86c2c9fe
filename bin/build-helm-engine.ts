/**
 * Builds Helm's renderer to WebAssembly: `src/engine/chart/helm-engine.generated.bin` and, beside it, the checksums and the licences of
 * what is compiled into it. `--check` builds it again and fails when what is committed differs.
 */

import { createHash } from 'node:crypto'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { constants, zstdCompressSync } from 'node:zlib'
import { helmEngineNotice } from './helm-engine-notice.ts'
import { limitWasmMemory } from './limit-wasm-memory.ts'
import { runGo } from './run-go.ts'

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const chart = join(import.meta.dirname, '../src/engine/chart')
const source = join(chart, 'engine')
const target = join(chart, 'helm-engine.generated.bin')
const sums = join(chart, 'helm-engine.generated.json')
const licences = join(chart, 'helm-engine.generated.txt')
const PAGES = 8192 // of 64 KiB: 512 MiB

const module = limitWasmMemory(compile(), PAGES)
const made = { go: goVersion(), module: sha256(module), sources: hashOfSources() }
if (values.check) check()
else write()

function compile(): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'rolebook-engine-'))
  const wasm = join(folder, 'engine.wasm')
  try {
    const flags = ['-trimpath', '-buildvcs=false', '-buildmode=c-shared', '-ldflags', '-s -w']
    runGo(source, ['build', ...flags, '-o', wasm, '.'])
    return readFileSync(wasm)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function check(): void {
  const committed = JSON.parse(readFileSync(sums, 'utf8'))
  if (committed.go !== made.go) fail(`it was built with ${committed.go}, and this is ${made.go}`)
  if (committed.module !== made.module) fail(`its checksum is ${committed.module}, and a build gives ${made.module}`)
  if (readFileSync(licences, 'utf8') !== helmEngineNotice(source)) fail('the list of its licences is another one')
  process.stdout.write(`${target} is what its source gives, and ${basename(licences)} are the licences of it\n`)
}

function write(): void {
  const level = { [constants.ZSTD_c_compressionLevel]: 19, [constants.ZSTD_c_windowLog]: 25 }
  const packed = zstdCompressSync(module, { params: level })
  writeFileSync(target, packed)
  writeFileSync(sums, `${JSON.stringify(made, undefined, 2)}\n`)
  writeFileSync(licences, helmEngineNotice(source))
  process.stdout.write(`${target}: ${packed.length} bytes, of ${module.length}\n`)
}

/** `test/engine/chart/` compares it with the sources, so that a change of them without a build is found without Go. */
function hashOfSources(): string {
  const files = globSync(['*.go', 'go.mod', 'go.sum', 'stub/**/{*.go,go.mod}'], { cwd: source }).sort()
  return sha256(Buffer.concat(files.map((file) => readFileSync(join(source, file)))))
}

function goVersion(): string {
  return runGo(source, ['env', 'GOVERSION']).trim()
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function fail(reason: string): never {
  process.stderr.write(`${target} is not what its source gives: ${reason}. Run 'npm run build:helm-engine'.\n`)
  process.exit(1)
}
