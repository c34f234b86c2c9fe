/** The programs of a real control plane: built from their public Go modules, once, into a cache outside the checkout. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { env, pid, stderr } from 'node:process'

/** Where each program comes from: the module (a folder here) that pins it, its package, and how it is built. */
const PROGRAMS = {
  etcd: { module: 'etcd', package: 'go.etcd.io/etcd/server/v3' },
  kubectl: { module: 'kube', package: 'k8s.io/kubernetes/cmd/kubectl' },
  'kube-apiserver': { module: 'kube', package: 'k8s.io/kubernetes/cmd/kube-apiserver' },
  'kube-controller-manager': { module: 'kube', package: 'k8s.io/kubernetes/cmd/kube-controller-manager' },
  'kube-scheduler': { module: 'kube', package: 'k8s.io/kubernetes/cmd/kube-scheduler' },
  kwok: { module: 'kwok', package: 'sigs.k8s.io/kwok/cmd/kwok' },
} as const

export type ProgramName = keyof typeof PROGRAMS

/** The path of each program, and kwok's stages, which say how fast Pods and Nodes become ready. */
export interface Binaries {
  readonly paths: Readonly<Record<ProgramName, string>>
  /** One YAML text. */
  readonly kwokStages: string
}

const KUBERNETES = 'k8s.io/kubernetes'
/** Without these tags the API server drags in SELinux and gRPC tracing. */
const TAGS = 'selinux,notest,grpcnotrace'

/** Why no control plane can be built here, or undefined when one can. */
export function missingForBinaries(): string | undefined {
  if (spawnSync('go', ['version']).status === 0) return undefined
  const missing = programNames().filter((name) => assetPath(name) === undefined)
  if (missing.length === 0) return undefined
  return `Go is not on the path, and KUBEBUILDER_ASSETS holds no ${missing.join(', ')}`
}

/** Builds what is missing (nine minutes on two cores with empty caches, seconds when only Go's cache is left). */
export function buildBinaries(): Binaries {
  const paths = Object.fromEntries(programNames().map((name) => [name, assetPath(name) ?? build(name)]))
  return { paths: paths as Binaries['paths'], kwokStages: readStages(paths.kubectl ?? '') }
}

function programNames(): readonly ProgramName[] {
  return Object.keys(PROGRAMS) as ProgramName[]
}

/** People who test with envtest have some of the programs already. */
function assetPath(name: ProgramName): string | undefined {
  if (env.KUBEBUILDER_ASSETS === undefined) return undefined
  const path = join(env.KUBEBUILDER_ASSETS, name)
  return existsSync(path) ? path : undefined
}

function build(name: ProgramName): string {
  const { module, package: target } = PROGRAMS[name]
  const folder = join(import.meta.dirname, module)
  const cache = cacheFolder(module)
  const path = join(cache, name)
  if (existsSync(path)) return path
  stderr.write(`building ${name}, once …\n`)
  mkdirSync(cache, { recursive: true })
  // Renamed at the end: a build that was interrupted leaves no half a program.
  const unfinished = `${path}.${pid}`
  const flags = module === 'kube' ? ['-tags', TAGS, '-ldflags', versionStamps(folder)] : ['-ldflags', '-s -w']
  execFileSync('go', ['build', '-trimpath', '-buildvcs=false', ...flags, '-o', unfinished, target], {
    cwd: folder,
    env: goEnvironment(),
    stdio: 'inherit',
  })
  renameSync(unfinished, path)
  return path
}

/** Keyed by what the module pins, so that a new version is a new build. */
function cacheFolder(module: string): string {
  const pins = readFileSync(join(import.meta.dirname, module, 'go.sum'))
  const key = createHash('sha256').update(pins).digest('hex').slice(0, 12)
  return join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'rolebook', 'control-plane', `${module}-${key}`)
}

/** Without them `/version` says `v0.0.0-master`, and gates on the version break. */
function versionStamps(folder: string): string {
  const version = go(folder, 'list', '-m', '-f', '{{.Version}}', KUBERNETES)
  const [major, minor] = version.slice(1).split('.')
  const stamps = {
    gitVersion: version,
    gitMajor: major,
    gitMinor: minor,
    gitTreeState: 'clean',
    gitCommit: '0'.repeat(40),
    buildDate: '2026-01-01T00:00:00Z',
  }
  const packages = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version']
  const assignments = packages.flatMap((path) =>
    Object.entries(stamps).map(([name, value]) => `-X ${path}.${name}=${value}`),
  )
  return ['-s -w', ...assignments].join(' ')
}

/** kwok ships its stages beside its source; its `fast` ones make Pods ready in milliseconds. */
function readStages(kubectl: string): string {
  const path = join(cacheFolder('kwok'), 'stages.yaml')
  if (!existsSync(path)) {
    const module = JSON.parse(go(join(import.meta.dirname, 'kwok'), 'mod', 'download', '-json', 'sigs.k8s.io/kwok'))
    mkdirSync(cacheFolder('kwok'), { recursive: true })
    writeFileSync(path, execFileSync(kubectl, ['kustomize', join(module.Dir, 'kustomize/stage/fast')]))
  }
  return readFileSync(path, 'utf8')
}

function go(folder: string, ...args: readonly string[]): string {
  return execFileSync('go', args, { cwd: folder, env: goEnvironment(), encoding: 'utf8' }).trim()
}

function goEnvironment(): NodeJS.ProcessEnv {
  return { ...env, CGO_ENABLED: '0', GOWORK: 'off', GOFLAGS: '-mod=readonly' }
}
