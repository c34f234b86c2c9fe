/**
 * Writes the stock image as a folder in the OCI image layout, without a daemon: the program on a base that has Node, for each
 * platform of the base. The same program and base give the same bytes.
 *
 *   npm run build && npm run --silent sbom > dist/sbom.cdx.json
 *   node bin/image.ts --base base --output image
 *
 * `--base` is such a folder, too: `node bin/image-base.ts` makes one, and
 * `skopeo copy --all docker://gcr.io/distroless/nodejs24-debian12:nonroot oci:base` takes another.
 * `skopeo copy --all oci:image docker://registry.example.com/rolebook:0.1.0` brings the image to a registry.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { writeAttestations } from './image/attestations.ts'
import { type Layer, writeLayer } from './image/layer.ts'
import {
  CREATED,
  type Descriptor,
  type Manifest,
  MEDIA_TYPES,
  NONROOT,
  OciLayout,
  type Platform,
} from './image/oci-layout.ts'
import type { TarEntry } from './image/tar.ts'

const PLATFORMS = ['linux/amd64', 'linux/arm64']
const USER = `${NONROOT}:${NONROOT}`

interface Config extends Platform {
  readonly config?: { readonly Env?: readonly string[]; readonly [key: string]: unknown }
  readonly rootfs: { readonly type: 'layers'; readonly diff_ids: readonly string[] }
  readonly history?: readonly object[]
}

const root = join(import.meta.dirname, '..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
const { values } = parseArgs({
  options: {
    base: { type: 'string' },
    output: { type: 'string' },
    dist: { type: 'string', default: join(root, 'dist') },
    builder: { type: 'string', default: 'https://rolebook.dev/build/by-hand' },
    commit: { type: 'string' },
  },
})
const { base: baseFolder, output } = values
if (baseFolder === undefined || output === undefined) {
  process.stderr.write('cannot build the image: give --base, a folder in the OCI image layout, and --output\n')
  process.exitCode = 2
} else {
  const index = build(new OciLayout(baseFolder), output)
  process.stdout.write(`${output}: ${index.digest}\n`)
}

function build(base: OciLayout, folder: string): Descriptor {
  const images = base.images().filter(({ platform }) => PLATFORMS.includes(`${platform?.os}/${platform?.architecture}`))
  if (images.length === 0) throw new Error(`cannot build the image: the base has none for ${PLATFORMS.join(' or ')}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const target = new OciLayout(folder)
  const program = writeLayer(target, programFiles())
  const sbom = JSON.parse(readFileSync(join(values.dist, 'sbom.cdx.json'), 'utf8')) as object
  const made = images.map((image) => ({ image, made: imageOn(image, { base, target, program }) }))
  const attached = made.map(({ image, made: one }) =>
    writeAttestations(target, one, { sbom, version, base: image, builder: values.builder, commit: values.commit }),
  )
  return target.finish([...made.map((one) => one.made), ...attached], version)
}

/** What the image has beside its base: what `npm run build` makes, and nothing that can be written. */
function programFiles(): readonly TarEntry[] {
  const entries = readdirSync(values.dist, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    // Types are for those who compile against the library.
    .filter((path) => !relative(values.dist, path).startsWith('types/'))
  const files = entries.map((path) => ({
    path: `rolebook/dist/${relative(values.dist, path)}`,
    content: readFileSync(path),
  }))
  const license = { path: 'rolebook/LICENSE', content: readFileSync(join(root, 'LICENSE')) }
  return [license, ...files].map((file) => ({ ...file, mode: 0o444 }))
}

interface Building {
  readonly base: OciLayout
  readonly target: OciLayout
  readonly program: Layer
}

function imageOn(image: Descriptor, { base, target, program }: Building): Descriptor {
  const { config, layers } = base.readJson<Manifest>(image)
  for (const layer of layers) target.write(layer.mediaType, base.read(layer))
  const manifest = {
    schemaVersion: 2,
    mediaType: MEDIA_TYPES.manifest,
    config: target.writeJson(MEDIA_TYPES.config, configOn(base.readJson<Config>(config), program)),
    layers: [...layers, program.descriptor],
    annotations: { 'org.opencontainers.image.base.digest': image.digest },
  }
  const { platform } = image
  return { ...target.writeJson(MEDIA_TYPES.manifest, manifest), ...(platform && { platform }) }
}

function configOn(base: Config, { diffId }: Layer): object {
  const { os, architecture, variant, config, rootfs, history = [] } = base
  return {
    os,
    architecture,
    ...(variant !== undefined && { variant }),
    created: CREATED,
    config: {
      ...config,
      User: USER,
      WorkingDir: '/rolebook',
      Env: [...(config?.Env ?? []), 'NODE_ENV=production'],
      Entrypoint: ['/nodejs/bin/node', '/rolebook/dist/rolebook.mjs'],
      Cmd: ['run'],
      Labels: {
        'org.opencontainers.image.title': 'rolebook',
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.licenses': 'Apache-2.0',
      },
    },
    rootfs: { type: 'layers', diff_ids: [...rootfs.diff_ids, diffId] },
    history: [...history, { created: CREATED, created_by: 'bin/image.ts', comment: `rolebook ${version}` }],
  }
}
