/**
 * Writes a base for `bin/image.ts` as a folder in the OCI image layout: Node as npm has it for linux/amd64 and linux/arm64, on the C and
 * C++ libraries of Debian, and nothing else, as in distroless images. It needs npm, apt-get and dpkg-deb, on a Debian system.
 *
 *   node bin/image-base.ts --output base
 *
 * The libraries are the newest of the Debian release that it runs on: the same packages give the same bytes.
 */
import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { writeLayer } from './image/layer.ts'
import { CREATED, type Descriptor, MEDIA_TYPES, NONROOT, OciLayout } from './image/oci-layout.ts'
import type { TarEntry } from './image/tar.ts'

/** What Node is linked with. */
const LIBRARIES = ['libc6', 'libgcc-s1', 'libstdc++6']
const ARCHITECTURES = { amd64: 'x64', arm64: 'arm64' } as const
type Architecture = keyof typeof ARCHITECTURES

/** Libraries, their loader and their licences: no programs, and no tables for other character sets. */
const KEPT = /^(lib\/|lib64\/|usr\/lib\/(?!.*\/(gconv|audit)\/).*\.so|usr\/share\/doc\/[^/]+\/copyright$)/

const ACCOUNTS: Readonly<Record<string, string>> = {
  'etc/passwd': `root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:${NONROOT}:${NONROOT}:nonroot:/home/nonroot:/sbin/nologin\n`,
  'etc/group': `root:x:0:\nnonroot:x:${NONROOT}:\n`,
  'etc/nsswitch.conf': 'hosts: files dns\n',
}

const node = readFileSync(join(import.meta.dirname, '../.nvmrc'), 'utf8').trim()
const { values } = parseArgs({
  options: { output: { type: 'string' }, architecture: { type: 'string', multiple: true } },
})
if (values.output === undefined) {
  process.stderr.write('cannot write the base: give --output\n')
  process.exitCode = 2
} else {
  const wanted = values.architecture ?? Object.keys(ARCHITECTURES)
  const { digest } = writeBase(values.output, wanted as readonly Architecture[])
  process.stdout.write(`${values.output}: ${digest}\n`)
}

function writeBase(folder: string, architectures: readonly Architecture[]): Descriptor {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const layout = new OciLayout(folder)
  return layout.finish(
    architectures.map((architecture) => writeImage(layout, architecture)),
    `node-${node}`,
  )
}

function writeImage(layout: OciLayout, architecture: Architecture): Descriptor {
  const work = mkdtempSync(join(tmpdir(), 'rolebook-base-'))
  try {
    const { descriptor, diffId } = writeLayer(layout, [
      ...accounts(),
      ...nodeFiles(architecture, join(work, 'node')),
      ...libraryFiles(architecture, join(work, 'libraries')),
    ])
    const platform = { os: 'linux', architecture }
    const config = layout.writeJson(MEDIA_TYPES.config, {
      ...platform,
      created: CREATED,
      config: { User: `${NONROOT}:${NONROOT}`, Env: ['PATH=/nodejs/bin'] },
      rootfs: { type: 'layers', diff_ids: [diffId] },
      history: [
        { created: CREATED, created_by: 'bin/image-base.ts', comment: `Node ${node}, ${LIBRARIES.join(', ')}` },
      ],
    })
    const manifest = { schemaVersion: 2, mediaType: MEDIA_TYPES.manifest, config, layers: [descriptor] }
    return { ...layout.writeJson(MEDIA_TYPES.manifest, manifest), platform }
  } finally {
    rmSync(work, { recursive: true })
  }
}

function accounts(): readonly TarEntry[] {
  const files = Object.entries(ACCOUNTS).map(([path, text]) => ({ path, mode: 0o644, content: Buffer.from(text) }))
  // The operator writes nothing there; a person who debugs it may.
  return [...files, { path: 'tmp', mode: 0o1777 }, { path: 'home/nonroot', mode: 0o755 }]
}

function nodeFiles(architecture: Architecture, work: string): readonly TarEntry[] {
  mkdirSync(work)
  execFileSync('npm', ['pack', '--silent', `node-linux-${ARCHITECTURES[architecture]}@${node}`], { cwd: work })
  const [tarball = ''] = readdirSync(work)
  execFileSync('tar', ['-xzf', tarball], { cwd: work })
  const read = (path: string): Buffer => readFileSync(join(work, 'package', path))
  return [
    { path: 'nodejs/bin/node', mode: 0o755, content: read('bin/node') },
    { path: 'nodejs/LICENSE', mode: 0o644, content: read('LICENSE') },
  ]
}

function libraryFiles(architecture: Architecture, work: string): readonly TarEntry[] {
  mkdirSync(join(work, 'lists'), { recursive: true })
  apt(architecture, work, 'update')
  apt(architecture, work, 'download', ...LIBRARIES, 'base-files')
  const packages = readdirSync(work).filter((name) => name.endsWith('.deb'))
  const files = join(work, 'root')
  for (const name of packages) execFileSync('dpkg-deb', ['--extract', name, files], { cwd: work })
  const release = readFileSync(join(files, 'usr/lib/os-release'))
  return [
    ...filesIn(files).filter(({ path }) => KEPT.test(path)),
    { path: 'etc/os-release', mode: 0o644, content: release },
    ...packages.filter((name) => !name.startsWith('base-files')).map((name) => statusOf(join(work, name))),
  ]
}

/** With lists of its own, so that nothing of the system changes, and of another architecture than its own. */
function apt(architecture: Architecture, work: string, ...args: readonly string[]): void {
  const settings = [
    `APT::Architecture=${architecture}`,
    `APT::Architectures=${architecture}`,
    'APT::Sandbox::User=root',
    `Dir::Cache=${work}`,
    `Dir::State::lists=${join(work, 'lists')}`,
    'Dir::State::status=/dev/null',
  ]
  execFileSync('apt-get', ['--quiet', ...settings.flatMap((one) => ['--option', one]), ...args], {
    cwd: work,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** Scanners of images look there for what is installed. */
function statusOf(path: string): TarEntry {
  const control = execFileSync('dpkg-deb', ['--field', path])
  const name = /^Package: (.*)$/m.exec(control.toString('utf8'))?.[1] ?? ''
  return { path: `var/lib/dpkg/status.d/${name}`, mode: 0o644, content: control }
}

function filesIn(folder: string): readonly TarEntry[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => !one.isDirectory())
  return entries.map((entry) => {
    const file = join(entry.parentPath, entry.name)
    const path = relative(folder, file)
    if (entry.isSymbolicLink()) return { path, mode: 0o777, link: readlinkSync(file) }
    return { path, mode: lstatSync(file).mode & 0o777, content: readFileSync(file) }
  })
}
