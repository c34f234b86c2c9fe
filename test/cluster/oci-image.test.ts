/** `bin/image.ts`: the folder that it writes is read as a registry or a runtime would, digest by digest. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { type Layer, writeLayer } from '../../bin/image/layer.ts'
import { type Descriptor, type Manifest, MEDIA_TYPES, OciLayout } from '../../bin/image/oci-layout.ts'
import { builtProgram } from '../support/built-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

interface Config {
  readonly os: string
  readonly architecture: string
  readonly config: Readonly<Record<string, unknown>>
  readonly rootfs: { readonly diff_ids: readonly string[] }
}

interface Index {
  readonly manifests: readonly Descriptor[]
}

interface Statement {
  readonly predicateType: string
  readonly subject: readonly [{ readonly digest: { readonly sha256: string } }]
  readonly predicate: Readonly<Record<string, unknown>>
}

describe('the image', function () {
  this.timeout(300_000)
  const folder = temporaryFolder()
  const path = folder.at('image')
  const image = new OciLayout(path)
  before(() => {
    writeDist()
    writeBase()
    build('image')
  })
  after(() => folder.remove())

  function build(name: string) {
    const args = ['bin/image.ts', '--base', folder.at('base'), '--dist', folder.at('dist'), '--output', folder.at(name)]
    return spawnSync(execPath, [...args, '--commit', 'c'.repeat(40)], { encoding: 'utf8' })
  }

  function writeDist(): void {
    cpSync(builtProgram(), folder.at('dist'), { recursive: true })
    const sbom = execFileSync(execPath, ['bin/sbom.ts'], { stdio: ['ignore', 'pipe', 'ignore'] })
    writeFileSync(folder.at('dist/sbom.cdx.json'), sbom)
  }

  /** As `skopeo copy --all` would leave it, with the Node that runs this test for one platform, and none for another. */
  function writeBase(): void {
    mkdirSync(folder.at('base'))
    const base = new OciLayout(folder.at('base'))
    const node = { path: 'nodejs/bin/node', mode: 0o755, content: Buffer.from('no Node') }
    const images = ['amd64', 'arm64', 's390x'].map((architecture) =>
      baseImage(base, architecture, writeLayer(base, [node])),
    )
    base.finish(images, 'base')
  }

  const indexOf = (layout: OciLayout): Index => layout.readJson<Index>(layout.roots()[0] as Descriptor)
  const filesOf = (layer: Descriptor): readonly string[] =>
    execFileSync('tar', ['-tvf', '-'], {
      input: gunzipSync(image.read(layer)),
      env: { ...env, TZ: 'UTC' },
      encoding: 'utf8',
    })
      .trimEnd()
      .split('\n')

  it('has a blob for each descriptor, of its size and digest, and no other', () => {
    const named = new Set(reachable(image, image.roots()))
    const present = readdirSync(join(path, 'blobs/sha256')).map((name) => `sha256:${name}`)
    expect(present).to.have.members([...named])
    for (const digest of present) {
      const bytes = readFileSync(join(path, 'blobs', digest.replace(':', '/')))
      expect(`sha256:${createHash('sha256').update(bytes).digest('hex')}`).to.equal(digest)
    }
    expect(JSON.parse(readFileSync(join(path, 'oci-layout'), 'utf8'))).to.deep.equal({ imageLayoutVersion: '1.0.0' })
  })

  it('is one image for both platforms, by the name of the version', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string }
    const [root] = image.roots()
    expect(root?.annotations).to.deep.equal({ 'org.opencontainers.image.ref.name': version })
    expect(image.images().map(({ platform }) => platform)).to.deep.equal([
      { os: 'linux', architecture: 'amd64' },
      { os: 'linux', architecture: 'arm64' },
    ])
  })

  it('starts the operator as a user without privileges', () => {
    for (const one of image.images()) {
      const { os, architecture, config } = image.readJson<Config>(image.readJson<Manifest>(one).config)
      expect({ os, architecture }).to.deep.equal(one.platform)
      expect(config).to.deep.include({
        User: '65532:65532',
        WorkingDir: '/rolebook',
        Env: ['PATH=/nodejs/bin', 'NODE_ENV=production'],
        Entrypoint: ['/nodejs/bin/node', '/rolebook/dist/rolebook.mjs'],
        Cmd: ['run'],
      })
    }
  })

  it('knows its layers by what they hold, uncompressed', () => {
    for (const one of image.images()) {
      const { config, layers } = image.readJson<Manifest>(one)
      const unpacked = layers.map((layer) =>
        createHash('sha256')
          .update(gunzipSync(image.read(layer)))
          .digest('hex'),
      )
      expect(image.readJson<Config>(config).rootfs.diff_ids).to.deep.equal(unpacked.map((hex) => `sha256:${hex}`))
    }
  })

  it('adds the program to its base: files of root that cannot be written', () => {
    const [first] = image.images()
    const { layers } = image.readJson<Manifest>(first as Descriptor)
    expect(layers).to.have.length(2)
    const files = filesOf(layers[1] as Descriptor)
    expect(
      files.filter((line) => !/^(-r--r--r--|drwxr-xr-x) 0\/0 .* 1970-01-01 \S+ rolebook\//.test(line)),
    ).to.deep.equal([])
    const names = files.map((line) => line.split(' ').at(-1))
    expect(names).to.include.members(['rolebook/LICENSE', 'rolebook/dist/rolebook.mjs', 'rolebook/dist/sbom.cdx.json'])
  })

  it('has a program that runs', () => {
    const [first] = image.images()
    const layer = image.readJson<Manifest>(first as Descriptor).layers[1] as Descriptor
    mkdirSync(folder.at('unpacked'))
    execFileSync('tar', ['-xf', '-', '-C', folder.at('unpacked')], { input: gunzipSync(image.read(layer)) })
    const printed = execFileSync(execPath, [folder.at('unpacked/rolebook/dist/rolebook.mjs'), 'version'])
    expect(printed.toString()).to.match(/^rolebook \d/)
  })

  it('has what is in it and how it was built attached, for each platform', () => {
    const attached = indexOf(image).manifests.filter(({ platform }) => platform?.os === 'unknown')
    const of = attached.map(({ annotations }) => annotations?.['vnd.docker.reference.digest'])
    expect(of).to.deep.equal(image.images().map(({ digest }) => digest))
    for (const [at, one] of attached.entries()) {
      const statements = image.readJson<Manifest>(one).layers.map((layer) => image.readJson<Statement>(layer))
      expect(statements.map(({ predicateType }) => predicateType)).to.deep.equal([
        'https://cyclonedx.org/bom',
        'https://slsa.dev/provenance/v1',
      ])
      for (const { subject } of statements) expect(`sha256:${subject[0].digest.sha256}`).to.equal(of[at])
      expect(statements[0]?.predicate).to.include({ bomFormat: 'CycloneDX' })
      expect(JSON.stringify(statements[1]?.predicate)).to.include('c'.repeat(40))
    }
  })

  it('is the same, bit for bit, when it is built again', () => {
    expect(build('again').status).to.equal(0)
    expect(spawnSync('diff', ['--recursive', path, folder.at('again')]).status).to.equal(0)
  })

  it('refuses a base with a blob that is not what its digest says', () => {
    const [one] = new OciLayout(folder.at('base')).images()
    writeFileSync(folder.at(`base/blobs/${one?.digest.replace(':', '/')}`), '{}')
    const { status, stderr } = build('broken')
    expect(status).to.not.equal(0)
    expect(stderr).to.include(`cannot use the blob ${one?.digest}`)
    expect(existsSync(folder.at('broken/index.json'))).to.equal(false)
  })
})

function baseImage(base: OciLayout, architecture: string, { descriptor, diffId }: Layer): Descriptor {
  const platform = { os: 'linux', architecture }
  const config = base.writeJson(MEDIA_TYPES.config, {
    ...platform,
    config: { Env: ['PATH=/nodejs/bin'], User: '0' },
    rootfs: { type: 'layers', diff_ids: [diffId] },
  })
  const manifest = { schemaVersion: 2, mediaType: MEDIA_TYPES.manifest, config, layers: [descriptor] }
  return { ...base.writeJson(MEDIA_TYPES.manifest, manifest), platform }
}

/** The digests of everything that descriptors lead to. */
function reachable(layout: OciLayout, descriptors: readonly Descriptor[]): readonly string[] {
  return descriptors.flatMap((one) => {
    if (!one.mediaType.endsWith('+json') || one.mediaType === MEDIA_TYPES.inToto) return [one.digest]
    const { manifests = [], config, layers = [] } = layout.readJson<Partial<Index & Manifest>>(one)
    const isConfig = one.mediaType === MEDIA_TYPES.config
    return [one.digest, ...(isConfig ? [] : reachable(layout, [...manifests, ...(config ? [config] : []), ...layers]))]
  })
}
