/** The blocks of code of the pages: which commands a test runs as they stand, and why others are run nowhere. */
import { globSync, readFileSync } from 'node:fs'

/** A block of code of a page. */
export interface PageBlock {
  readonly page: string
  readonly line: number
  readonly language: string
  readonly text: string
}

const BLOCK = /^( *)```(\w*)\n([\s\S]*?)^\1```$/gm
const SHELL = new Set(['sh', 'console', 'bash', 'shell'])
const PROMPT = '$ '

/** What people read. Decisions have no commands; the cases of `test/rolebook/broken` are run by their own test. */
export const PAGES = globSync(['README.md', 'docs/**/*.md', 'examples/**/*.md', 'src/**/*.md'], {
  exclude: ['docs/site/node_modules/**', 'docs/decisions/**'],
}).sort()

/** Pages whose commands are all run by one test. The test names the page. */
export const RUN_AS_A_WHOLE: Readonly<Record<string, string>> = {
  'docs/cookbook.md': 'test/cluster/cookbook.test.ts',
  'docs/java.md': 'test/cluster/java.test.ts',
  'docs/javascript.md': 'test/cluster/javascript.test.ts',
  'docs/python.md': 'test/cluster/python.test.ts',
  'docs/tutorial.md': 'test/cluster/tutorial.test.ts',
}

/** A command that is not run as it stands, and why. */
interface Excuse {
  readonly command: RegExp
  readonly reason: string
}

export const NOT_RUN: readonly Excuse[] = [
  { command: /^docker |^skopeo /, reason: 'needs an engine of containers, or a registry' },
  { command: /^npm install /, reason: 'needs the registry; test/package installs the packed package' },
  { command: /^npm ci && npm (?:start|test)$/, reason: 'is what runs the tests' },
  {
    command: /^npm run bench(?::edits|:at-rest)? /,
    reason: 'takes hours; test/cluster/fault-bench.ts and test/bench are its tests',
  },
  { command: /^npm run build:executable\b/, reason: 'test/cluster/executable.test.ts builds and runs one' },
  {
    command: /rolebook-linux-x64\.tar\.gz|^\.\/rolebook /,
    reason: 'test/cluster/executable.test.ts unpacks what it builds',
  },
  { command: /^sha256sum --check /, reason: 'needs the files of a release' },
  { command: /^codesign /, reason: 'needs a Mac' },
  { command: /^brew |rolebook\.rb/, reason: 'needs Homebrew; test/package/homebrew-formula.test.ts reads the formula' },
  { command: /^kubectl krew install /, reason: 'needs the files of a release; test/cluster/kubectl-plugin.test.ts' },
  { command: /^npm run build:playground$/, reason: 'test/cluster/playground.test.ts runs what it runs' },
  { command: /^npm run docs$/, reason: 'test/cluster/site.test.ts runs what it runs' },
  { command: /^npm run build && |^node bin\/image/, reason: 'test/cluster/oci-image.test.ts builds the image' },
  { command: /^npm run package:vscode$|^code /, reason: 'test/cluster/vscode.test.ts packs the extension' },
  { command: /^npx rolebook init$/, reason: 'asks on a terminal; the tutorial runs it with flags' },
  { command: /^npx rolebook run\b/, reason: 'goes on until it is stopped: test/cluster/run.test.ts' },
  { command: /^npx rolebook test --watch$/, reason: 'goes on until it is stopped: test/rolebook/role-test' },
  { command: /^npx rolebook test --cluster\b/, reason: 'takes minutes: test/cluster/role-tests.test.ts' },
  { command: /^npx rolebook prove\b/, reason: 'takes minutes: test/cluster/prove.test.ts' },
  {
    command: /^rolebook (?:explain|diff|history|tree) widget\b/,
    reason: 'test/docs/debugging.test.ts runs it on what the page shows',
  },
  { command: /^rolebook explain memcached sample$/, reason: 'needs shards: test/cluster/shards.test.ts' },
  { command: /^curl .*readyz/, reason: 'needs a watch that is down: test/engine/runtime' },
  { command: /^go test /, reason: 'test/cluster/envtest.test.ts runs the test of the page' },
  {
    command: /^kustomize build /,
    reason: 'the program is no Go module that builds here: test/cluster/init-from.test.ts',
  },
  {
    command: /^npx rolebook init --from --namespace /,
    reason: 'test/cluster/init-from.test.ts runs it on a namespace',
  },
  { command: /port-forward|create token viewer/, reason: 'needs real pods: test/cluster/dashboard-access.test.ts' },
]

/** All blocks of a page, also those within lists. */
export function blocksOf(page: string, text = readFileSync(page, 'utf8')): readonly PageBlock[] {
  return [...text.matchAll(BLOCK)].map(({ 1: indent = '', 2: language = '', 3: body = '', index }) => ({
    page,
    line: text.slice(0, index).split('\n').length,
    language,
    text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }))
}

/** The commands of a block, without comments. Of a session, what stands behind the prompt. */
export function commandsOf({ language, text }: PageBlock): readonly string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const isSession = lines.some((line) => line.startsWith(PROMPT))
  if (!isSession && !SHELL.has(language)) return []
  const typed = isSession
    ? lines.filter((line) => line.startsWith(PROMPT)).map((line) => line.slice(PROMPT.length))
    : lines
  return typed.map((line) => line.replace(/(?:^|\s+)# .*$/, '')).filter((line) => line !== '')
}

export function isRun(command: string): boolean {
  return NOT_RUN.every((excuse) => !excuse.command.test(command))
}

/** The blocks whose commands `test/cluster/pages.test.ts` runs. */
export function blocksToRun(page: string): readonly PageBlock[] {
  if (page in RUN_AS_A_WHOLE) return []
  return blocksOf(page).filter((block) => commandsOf(block).some(isRun))
}
