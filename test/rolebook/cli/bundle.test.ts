import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { execPath } from 'node:process'
import { expect } from 'chai'
import { builtProgram } from '../../support/built-program.ts'
import { long } from '../../support/long-tests.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

describe('the release bundle', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  const run = (...args: string[]): string => execFileSync(execPath, args, { encoding: 'utf8' })
  before(() => cpSync(builtProgram(), folder.path, { recursive: true }))
  after(() => folder.remove())

  it('is one program, its page, the data that it reads and their licences', () =>
    expect(readdirSync(folder.path).filter((name) => !/^library-|^shared-|^types$/.test(name))).to.have.members([
      'rolebook.mjs',
      'dashboard',
      'render-worker.mjs',
      'THIRD-PARTY-LICENSES.txt',
      'builtin-schemas.generated.bin',
      'helm-engine.generated.bin',
      'helm-engine.generated.txt',
    ]))

  long.it('works with an empty environment, and writes nothing', () => {
    const bundle = join(folder.path, 'rolebook.mjs')
    const project = ['--watches-file', resolve('watches.yaml'), '--roles-path', resolve('roles')]
    // Node refuses it every file to write, every process and every thread: charts, which are rendered in threads, are left out.
    const args = ['--permission', '--allow-fs-read=*', bundle, 'check', ...project]
    const { status, stderr } = spawnSync(execPath, args, { env: {}, cwd: '/', encoding: 'utf8' })
    expect(status, stderr).to.equal(0)
    const [note, ...rest] = stderr.trim().split('\n')
    expect(note).to.match(/^tasks that render a chart were not all tried: Access to this API has been restricted/)
    expect(rest.join('\n')).to.match(/^\d+ watches and \d+ roles are in order$/)
  })

  long.it('works without anything beside it', () => {
    const bundle = join(folder.path, 'rolebook.mjs')
    expect(run(bundle, 'version')).to.match(/^rolebook \d+\.\d+\.\d+ /)
    expect(run(bundle, 'render', 'roles/memcached/samples/memcached.yaml')).to.include('image: memcached:1.4.36-alpine')
  })
})
