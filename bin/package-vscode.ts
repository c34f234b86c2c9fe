/**
 * Makes the extension for VS Code: one file with its code, in a package that VS Code installs. `--out FILE` says where. Needs no network.
 */
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { createVSIX } from '@vscode/vsce'
import { build } from 'esbuild'
import { bundledPackages, thirdPartyLicenses } from './bundled-packages.ts'

const root = join(import.meta.dirname, '..')
const { values } = parseArgs({ options: { out: { type: 'string', default: join(root, 'dist-vscode/rolebook.vsix') } } })

// Packages are made of a copy: what git does not know stays out of the checkout.
const folder = mkdtempSync(join(tmpdir(), 'rolebook-vscode-'))
try {
  cpSync(join(root, 'editors/vscode'), folder, { recursive: true })
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
  await createVSIX({ cwd: folder, packagePath: values.out, dependencies: false, allowMissingRepository: true })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.stdout.write(`${values.out}\n`)
