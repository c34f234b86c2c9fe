import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { expect } from 'chai'
import { sharedControlPlane } from './shared-control-plane.ts'

const SANDBOX = 'src/sandbox/apiserver'

/** What the sandbox has from a real server, and the program that writes it. */
const RECORDINGS: readonly {
  readonly file: string
  readonly program: string
  readonly args: (kubeconfig: string, folder: string) => readonly string[]
  /** Where the program writes the file, in the folder. */
  readonly written: string
}[] = [
  {
    file: 'src/core/schema/builtin-schemas.generated.bin',
    program: 'test/control-plane/generate-builtin-schemas.ts',
    args: (kubeconfig, folder) => ['--kubeconfig', kubeconfig, '--out', join(folder, 'schemas.bin')],
    written: 'schemas.bin',
  },
  {
    file: `${SANDBOX}/kinds/table-columns.generated.json`,
    program: 'test/sandbox/apiserver/kinds/record-columns.ts',
    args: (kubeconfig, folder) => [kubeconfig, join(folder, 'columns.json')],
    written: 'columns.json',
  },
  {
    file: `${SANDBOX}/access/default-roles.generated.json`,
    program: 'test/sandbox/contract/record-default-roles.ts',
    args: (kubeconfig, folder) => [kubeconfig, join(folder, 'roles.json')],
    written: 'roles.json',
  },
  ...['flow-control/defaults.generated.json', 'aggregation/local-api-services.generated.json'].map((written) => ({
    file: `${SANDBOX}/${written}`,
    program: 'test/sandbox/contract/record-start-objects.ts',
    args: (kubeconfig: string, folder: string) => [kubeconfig, folder],
    written,
  })),
]

describe('what the sandbox has from a real server is what that server says today', () => {
  let kubeconfig = ''
  let folder = ''

  before(async function () {
    ;({ kubeconfig } = await sharedControlPlane(this))
    folder = mkdtempSync(join(tmpdir(), 'rolebook-recorded-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  for (const { file, program, args, written } of RECORDINGS) {
    it(file, function () {
      this.timeout(120_000)
      execFileSync(execPath, [program, ...args(kubeconfig, folder)], { stdio: ['ignore', 'ignore', 'inherit'] })
      const isSame = readFileSync(join(folder, written)).equals(readFileSync(file))
      expect(isSame, `${file} is out of date: node ${program}`).to.equal(true)
    })
  }
})
