import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { expect } from 'chai'

const chart = join(import.meta.dirname, '../../../src/engine/chart')
const source = join(chart, 'engine')
const packed = readFileSync(join(chart, 'helm-engine.generated.bin'))
const sums = JSON.parse(readFileSync(join(chart, 'helm-engine.generated.json'), 'utf8'))
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

describe('the module of the chart renderer', () => {
  const module = zstdDecompressSync(packed)

  it('is the one whose checksum is committed', () => expect(sha256(module)).to.equal(sums.module))

  it('was built from the source that is committed', () => {
    const files = globSync(['*.go', 'go.mod', 'go.sum', 'stub/**/{*.go,go.mod}'], { cwd: source }).sort()
    expect(sha256(Buffer.concat(files.map((file) => readFileSync(join(source, file)))))).to.equal(sums.sources)
  })

  it('is small', () => {
    expect(module.length).to.be.below(25_000_000)
    expect(packed.length).to.be.below(6_000_000)
  })

  it('has a list of the licences of what is in it, at the versions that are in it', () => {
    const notice = readFileSync(join(chart, 'helm-engine.generated.txt'), 'utf8')
    const listed = [...notice.matchAll(/^(\S+) v?(\S+): (?=Apache|BSD|MIT)/gm)].map(
      ([, name, version]) => `${name} ${version}`,
    )
    const modules = [...readFileSync(join(source, 'go.mod'), 'utf8').matchAll(/^\t(\S+) v(\S+)(?: \/\/ indirect)?$/gm)]
    const wanted = [`Go ${sums.go.replace('go', '')}`, ...modules.map(([, name, version]) => `${name} ${version}`)]
    expect(listed.sort()).to.deep.equal(wanted.sort())
    for (const title of ['Apache License', 'Redistribution and use', 'Permission is hereby granted']) {
      expect(notice).to.include(title)
    }
  })

  it('asks for nothing but the system interface and its own messages', () => {
    const { Module } = (globalThis as unknown as { WebAssembly: { Module: ModuleClass } }).WebAssembly
    const froms = new Set(Module.imports(new Module(module)).map((each) => each.module))
    expect([...froms].sort()).to.deep.equal(['rolebook', 'wasi_snapshot_preview1'])
  })
})

interface ModuleClass {
  new (bytes: Uint8Array): object
  imports(module: object): readonly { readonly module: string }[]
}
