/**
 * Makes the extension for VS Code: one file with its code, in a package that VS Code installs. `--out FILE` says where. The packer, `vsce`, has a
 * hundred packages of its own, so it is installed in `editors/vscode` when it is first needed.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { bundledPackages, thirdPartyLicenses } from './bundled-packages.ts'

const root = join(import.meta.dirname, '..')
const editor = join(root, 'editors/vscode')
const packer = join(editor, 'node_modules/@vscode/vsce/vsce')
const { values } = parseArgs({ options: { out: { type: 'string', default: join(root, 'dist-vscode/rolebook.vsix') } } })

// Packages are made of a copy: what git does not know stays out of the checkout.
const folder = mkdtempSync(join(tmpdir(), 'rolebook-vscode-'))
try {
  cpSync(editor, folder, { recursive: true, filter: (path) => !path.includes('node_modules') })
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['editors/vscode/src/extension.ts'],
    outfile: join(folder, 'dist/extension.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode'],
    minify: true,
    legalComments: 'eof',
    metafile: true,
  })
  const heading = 'dist/extension.cjs holds code of the packages that are listed here. Their licences follow.'
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), thirdPartyLicenses(bundledPackages(metafile), heading))
  mkdirSync(dirname(values.out), { recursive: true })
  if (!existsSync(packer))
    execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: editor, stdio: 'pipe' })
  const flags = ['--no-dependencies', '--allow-missing-repository', '--out', resolve(values.out)]
  execFileSync(process.execPath, [packer, 'package', ...flags], { cwd: folder, stdio: 'pipe' })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.stdout.write(`${values.out}\n`)
