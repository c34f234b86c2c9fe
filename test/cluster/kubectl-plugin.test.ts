/** `kubectl rolebook`: kubectl starts the installed package as a command of its own, and krew takes the manifest of it. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { env, execPath, stderr } from 'node:process'
import { expect } from 'chai'
import { parse } from 'yaml'
import { buildBinaries } from '../control-plane/binaries.ts'
import { buildClient, missingForClients } from '../control-plane/clients.ts'
import { packBuiltProgram } from '../package/pack.ts'
import { RolebookProcess } from '../support/rolebook-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ADDRESS = 'https://example.com/releases/rolebook.tgz'
const HOMEPAGE = 'https://example.com'

interface Manifest {
  readonly spec: {
    readonly version: string
    readonly platforms: readonly [Platform]
  }
}

interface Platform {
  readonly sha256: string
  readonly files: readonly { readonly from: string; readonly to: string }[]
  readonly bin: string
}

describe('kubectl rolebook', function () {
  this.timeout(600_000)
  const folder = temporaryFolder()
  let tarball = ''
  let manifest: Manifest
  before(function () {
    const missing = missingForClients()
    if (missing !== undefined) {
      stderr.write(`SKIPPED: kubectl and krew are built from Go modules, and ${missing}\n`)
      this.skip() // without Go there is no kubectl
    }
    tarball = packBuiltProgram(folder)
    folder.write('rolebook.yaml', printManifest(tarball))
    manifest = parse(readFileSync(folder.at('rolebook.yaml'), 'utf8')) as Manifest
    installAsKrew(manifest.spec.platforms[0])
  })
  after(() => folder.remove())

  it('has a manifest that krew takes', () => {
    const { status, stderr: said } = spawnSync(
      buildClient('validate-krew-manifest'),
      ['-manifest', folder.at('rolebook.yaml'), '-skip-install'],
      { encoding: 'utf8' },
    )
    expect(status, said).to.equal(0)
  })

  it('has the version and the checksum of the package in its manifest', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string }
    expect(manifest.spec.version).to.equal(`v${version}`)
    expect(manifest.spec.platforms[0].sha256).to.equal(createHash('sha256').update(readFileSync(tarball)).digest('hex'))
  })

  it('is started by kubectl, and calls itself so', () => {
    expect(kubectl('rolebook', 'version').stdout).to.match(/^rolebook \d+\.\d+\.\d+ /)
    const help = kubectl('rolebook', 'explain', '--help').stdout
    expect(help).to.include('Usage: kubectl rolebook explain ')
    expect(help).to.include('\n  kubectl rolebook explain memcached sample\n')
  })

  describe('with a cluster', () => {
    let sandbox: RolebookProcess | undefined
    const kubeconfig = folder.at('kubeconfig')
    before(async () => {
      cpSync('examples/01-config-hash', folder.at('project'), { recursive: true })
      const args = ['sandbox', '--samples', '--kubeconfig', kubeconfig]
      sandbox = new RolebookProcess(args, { cwd: folder.at('project') })
      await sandbox.until('Ready=True', ({ stdout }) => stdout.includes('Ready=True'))
    })
    after(() => sandbox?.stop())

    const COMMANDS: readonly { readonly name: string; readonly of: 'resource' | 'kind' | 'role'; shows: RegExp }[] = [
      { name: 'explain', of: 'resource', shows: / complete in [\d.]+ ms, because / },
      { name: 'history', of: 'resource', shows: / {2}complete {2}.*\n +created ConfigMap default\// },
      { name: 'tree', of: 'resource', shows: /^OBJECT +READY +STATUS +WHY\n[A-Z]\w+ default\/.* yes\n[\s\S]*─ Pod / },
      { name: 'diff', of: 'kind', shows: /: no differences$/m },
      { name: 'graph', of: 'role', shows: /^flowchart TD\n/ },
    ]
    for (const { name, of, shows } of COMMANDS) {
      it(`runs ${name}`, () => {
        const project = folder.at('project')
        const [kind = '', resource = ''] = sampleOf(project)
        const files = ['--watches-file', join(project, 'watches.yaml'), '--roles-path', join(project, 'roles')]
        const args = { resource: [kind, resource], kind: [kind, ...files], role: files }[of]
        const cluster = of === 'role' ? [] : ['--kubeconfig', kubeconfig]
        const { stdout, stderr: said } = kubectl('rolebook', name, ...args, ...cluster)
        expect(stdout, said).to.match(shows)
      })
    }
  })

  /** As krew does: the files of the archive in a store, and a link to the program in a folder of the path. */
  function installAsKrew({ files, bin }: Platform): void {
    expect(files).to.deep.equal([{ from: 'package/*', to: '.' }])
    execFileSync('tar', ['-xzf', tarball, '-C', folder.path])
    mkdirSync(folder.at('path'))
    symlinkSync(join(folder.at('package'), bin), join(folder.at('path'), 'kubectl-rolebook'))
  }

  function kubectl(...args: readonly string[]) {
    const path = [folder.at('path'), dirname(execPath), env.PATH].join(delimiter)
    const options = { cwd: folder.path, env: { ...env, PATH: path }, encoding: 'utf8' } as const
    return spawnSync(buildBinaries().paths.kubectl, args, options)
  }
})

function printManifest(tarball: string): string {
  const args = ['bin/krew-manifest.ts', tarball, '--url', ADDRESS, '--homepage', HOMEPAGE]
  return execFileSync(execPath, args, { encoding: 'utf8' })
}

/** Kind and name of the sample of a project. */
function sampleOf(project: string): readonly string[] {
  const [sample = ''] = globSync('roles/*/samples/*.yaml', { cwd: project })
  const { kind, metadata } = parse(readFileSync(join(project, sample), 'utf8')) as {
    readonly kind: string
    readonly metadata: { readonly name: string }
  }
  return [kind.toLowerCase(), metadata.name]
}
