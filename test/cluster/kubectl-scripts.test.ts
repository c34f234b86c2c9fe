/** Some functions of kubectl's own scripts. `npm run proof:kubectl` runs all, and a real server beside the sandbox. */
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { type FunctionResult, runFunctions } from '../kubectl-scripts/run-functions.ts'
import { startSandbox } from '../kubectl-scripts/servers.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { requireBinaries } from './shared-control-plane.ts'

/** What takes a second or few, of each kind of thing that a server does. */
const FUNCTIONS = [
  'run_kubectl_version_tests',
  'run_kubectl_local_proxy_tests',
  'run_RESTMapper_evaluation_tests',
  'run_role_tests',
  'run_assert_short_name_tests',
  'run_assert_singular_name_tests',
  'run_ambiguous_shortname_tests',
  'run_explain_crd_with_additional_properties_tests',
  'run_save_config_tests',
  'run_kubectl_create_error_tests',
  'run_kubectl_create_filter_tests',
  'run_kubectl_diff_same_names',
  'run_kubectl_create_validate_tests',
  'run_exec_credentials_interactive_tests',
  'run_kubectl_auth_whoami_tests',
  'run_authorization_tests',
  'run_swagger_tests',
  'run_impersonation_tests',
]

const SECONDS = 60

describe("kubectl's own scripts", () => {
  const folder = temporaryFolder()
  let results: readonly FunctionResult[] = []

  before(async function () {
    requireBinaries(this)
    const server = await startSandbox()
    try {
      results = await runFunctions({ port: server.port, folder: folder.path, functions: FUNCTIONS, seconds: SECONDS })
    } finally {
      await server.stop()
    }
  })
  after(() => folder.remove())

  for (const name of FUNCTIONS) {
    it(`pass on the sandbox in ${name}`, () => {
      const passed = results.find((result) => result.name === name)?.passed
      expect(passed, passed === undefined ? logOf('script') : logOf(name)).to.equal(true)
    })
  }

  const logOf = (name: string): string => readFileSync(folder.at(`logs/${name}.log`), 'utf8').slice(-5000)
})
