/**
 * Prints the formula by which Homebrew installs the executables:
 * `node bin/homebrew-formula.ts dist-executables --url https://example.com/releases/v1.2.3 --homepage https://example.com`.
 * The folder holds the archives of all targets (`npm run build:executable -- --archive`), and the URL is where they will be.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { archiveName, TARGETS, type Target } from './executable/node-bases.ts'

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
  readonly version: string
}
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { url: { type: 'string' }, homepage: { type: 'string' } },
})
const [folder] = positionals
const { url, homepage } = values
if (folder === undefined || url === undefined || homepage === undefined) {
  fail('give the folder of the archives, --url where they will be, and --homepage')
} else {
  const missing = TARGETS.map(archiveName).filter((name) => !existsSync(join(folder, name)))
  if (missing.length > 0)
    fail(`${folder} has no ${missing.join(', ')} (npm run build:executable -- --archive --target …)`)
  else process.stdout.write(formulaOf({ folder, url, homepage }))
}

function fail(reason: string): void {
  process.stderr.write(`cannot print the formula: ${reason}\n`)
  process.exitCode = 2
}

function formulaOf({ folder, url, homepage }: Readonly<Record<'folder' | 'url' | 'homepage', string>>): string {
  const archive = (target: Target): string => {
    const sum = createHash('sha256')
      .update(readFileSync(join(folder, archiveName(target))))
      .digest('hex')
    return `      url "${url}/${archiveName(target)}"\n      sha256 "${sum}"`
  }
  return `class Rolebook < Formula
  desc "Kubernetes operators in YAML, and a Kubernetes API server in memory"
  homepage "${homepage}"
  version "${version}"
  license "Apache-2.0"

  on_macos do
    on_arm do
${archive('darwin-arm64')}
    end
    on_intel do
${archive('darwin-x64')}
    end
  end

  on_linux do
    on_arm do
${archive('linux-arm64')}
    end
    on_intel do
${archive('linux-x64')}
    end
  end

  def install
    bin.install "rolebook"
    bin.install_symlink "rolebook" => "kubectl-rolebook"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/rolebook --version")
  end
end
`
}
