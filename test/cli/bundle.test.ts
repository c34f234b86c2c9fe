import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { expect } from 'chai'
import { builtProgram } from '../support/built-program.ts'
import { temporaryFolder } from '../support/rolebook-process.ts'

describe('the release bundle', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  const run = (...args: string[]): string => execFileSync(execPath, args, { encoding: 'utf8' })
  before(() => cpSync(builtProgram(), folder.path, { recursive: true }))
  after(() => folder.remove())

  it('is one program and the data that it reads', () =>
    expect(readdirSync(folder.path)).to.have.members([
      'rolebook.mjs',
      'rolebook.mjs.LEGAL.txt',
      'builtin-schemas.generated.bin',
    ]))

  it('works without anything beside it', () => {
    const bundle = join(folder.path, 'rolebook.mjs')
    expect(run(bundle, 'version')).to.match(/^rolebook \d+\.\d+\.\d+ /)
    expect(run(bundle, 'render', 'roles/memcached/samples/memcached.yaml')).to.include('image: memcached:1.4.36-alpine')
  })
})
