/** The programs of a real control plane: built from their public Go modules, once, into a cache outside the checkout. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { buildProgram, cacheFolder, go, hasGo } from './go-build.ts'

/** The versions of Kubernetes of which a control plane can be built, and the module (a folder here) that pins each. */
const KUBE_MODULES = { '1.36': 'kube', '1.35': 'kube-1.35', '1.34': 'kube-1.34' } as const

export type KubeVersion = keyof typeof KUBE_MODULES
export const KUBE_VERSIONS = Object.keys(KUBE_MODULES) as readonly KubeVersion[]
/** The one that the sandbox serves. */
export const SANDBOX_KUBE_VERSION: KubeVersion = '1.36'

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

/** The version that `ROLEBOOK_TEST_KUBE` asks for. Defaults to the one that the sandbox serves. */
export function kubeVersion(): KubeVersion {
  const wanted = env.ROLEBOOK_TEST_KUBE ?? SANDBOX_KUBE_VERSION
  const version = KUBE_VERSIONS.find((one) => one === wanted)
  if (version === undefined) {
    throw new Error(
      `cannot build Kubernetes ${wanted}: no module here pins it (take one of ${KUBE_VERSIONS.join(', ')})`,
    )
  }
  return version
}

/** Why no control plane can be built here, or undefined when one can. */
export function missingForBinaries(): string | undefined {
  if (hasGo()) return undefined
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
  // Of which version they are is not known.
  if (env.KUBEBUILDER_ASSETS === undefined || kubeVersion() !== SANDBOX_KUBE_VERSION) return undefined
  const path = join(env.KUBEBUILDER_ASSETS, name)
  return existsSync(path) ? path : undefined
}

function build(name: ProgramName): string {
  const program = PROGRAMS[name]
  if (program.module !== 'kube') return buildProgram(name, program)
  const module = KUBE_MODULES[kubeVersion()]
  return buildProgram(name, { ...program, module, flags: () => ['-tags', TAGS, '-ldflags', versionStamps(module)] })
}

/** Without them `/version` says `v0.0.0-master`, and gates on the version break. */
function versionStamps(module: string): string {
  const version = go(module, 'list', '-m', '-f', '{{.Version}}', KUBERNETES)
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
    const module = JSON.parse(go('kwok', 'mod', 'download', '-json', 'sigs.k8s.io/kwok'))
    mkdirSync(cacheFolder('kwok'), { recursive: true })
    writeFileSync(path, execFileSync(kubectl, ['kustomize', join(module.Dir, 'kustomize/stage/fast')]))
  }
  return readFileSync(path, 'utf8')
}
