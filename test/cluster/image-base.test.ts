/** `bin/image-base.ts`: the program runs on its base with nothing else around it, as a runtime would start it. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { arch, env, execPath, getuid, platform, stderr } from 'node:process'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { type Descriptor, type Manifest, OciLayout } from '../../bin/image/oci-layout.ts'
import { builtProgram } from '../support/built-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ARCHITECTURE = arch === 'x64' ? 'amd64' : arch

/** Why it cannot be tried here, or undefined when it can. */
function missing(): string | undefined {
  if (platform !== 'linux') return 'this is no Linux'
  if (getuid?.() !== 0) return 'only root may start a program in a root folder of its own'
  const tools = ['apt-get', 'dpkg-deb', 'chroot'].filter((tool) => spawnSync(tool, ['--version']).status !== 0)
  return tools.length === 0 ? undefined : `${tools.join(', ')} are not on the path`
}

describe('the base of the image', function () {
  this.timeout(600_000)
  const folder = temporaryFolder()
  const root = folder.at('root')
  before(function () {
    const reason = missing()
    if (reason !== undefined) {
      stderr.write(`SKIPPED: the base is made of Debian packages and started by chroot, and ${reason}\n`)
      this.skip() // without Debian's packages and chroot no base can be made and started
    }
    node('bin/image-base.ts', '--output', folder.at('base'), '--architecture', ARCHITECTURE)
    cpSync(builtProgram(), folder.at('dist'), { recursive: true })
    writeFileSync(folder.at('dist/sbom.cdx.json'), '{}')
    node('bin/image.ts', '--base', folder.at('base'), '--dist', folder.at('dist'), '--output', folder.at('image'))
    unpack(new OciLayout(folder.at('image')))
  })
  after(() => folder.remove())

  /** As a runtime does: one layer over the other, and the names of hosts. */
  function unpack(image: OciLayout): void {
    mkdirSync(root)
    const { layers } = image.readJson<Manifest>(image.images()[0] as Descriptor)
    for (const layer of layers) execFileSync('tar', ['-xf', '-', '-C', root], { input: gunzipSync(image.read(layer)) })
    writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n')
  }

  const run = (...args: readonly string[]) =>
    spawnSync('chroot', ['--userspec=65532:65532', root, ...args], { env: { PATH: env.PATH }, encoding: 'utf8' })

  it('has all that the program needs, as a user without privileges', () => {
    const { status, stdout, stderr: said } = run('/nodejs/bin/node', '/rolebook/dist/rolebook.mjs', 'version')
    expect(status, said).to.equal(0)
    expect(stdout).to.match(/^rolebook \d+\.\d+\.\d+ \(Node v24\./)
  })

  it('has random bytes, names of hosts and time zones', () => {
    const script = `
      const { randomUUID } = require('node:crypto')
      require('node:dns').lookup('localhost', (error) => console.log(randomUUID().length, error?.code ?? 'found'))
      console.log(new Date(0).toLocaleString('de', { timeZone: 'Asia/Tokyo' }))`
    expect(run('/nodejs/bin/node', '-e', script).stdout).to.equal('1.1.1970, 09:00:00\n36 found\n')
  })

  it('has no shell', () => {
    for (const shell of ['/bin/sh', '/bin/bash', '/usr/bin/env']) expect(run(shell).status).to.equal(127)
  })

  it('names its packages where scanners look', () => {
    const status = execFileSync(
      'cat',
      ['libc6', 'libstdc++6'].map((name) => join(root, 'var/lib/dpkg/status.d', name)),
    )
    expect(status.toString())
      .to.match(/^Package: libc6\n/m)
      .and.to.match(/^Package: libstdc\+\+6\n/m)
  })
})

function node(...args: readonly string[]): void {
  execFileSync(execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
}
