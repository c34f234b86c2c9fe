/** Which cluster suites run together, and which on which versions of Kubernetes. */
import { globSync } from 'node:fs'

/** Short forms of proofs, and what is tried at every place. They need no server. They run here because they take a sixth of the time of all other tests together. */
export const SHORT_PROOFS = globSync('test/**/*.proof.test.ts').sort()

/**
 * What runs in the first process: the sandbox beside a real server, under suites of Go projects, what breaks servers, what runs roles for
 * their tests, and what is seen in a browser. All others run in the second, which takes about as long. Where everything must be downloaded
 * and built, Go projects take longer than any other suite.
 */
export const FIRST_PROCESS = [
  ...filesOf([
    'client-go',
    'contract',
    'controller-runtime',
    'corpora',
    'dashboard',
    'dashboard-access',
    'envtest',
    'expired-versions',
    'faults',
    'fields',
    'helm',
    'helm-render',
    'kubectl',
    'migrations',
    'playground',
    'playground-cluster',
    'playground-context',
    'playground-editor',
    'playground-tour',
    'prove',
    'random',
    'role-tests',
    'role-tests-on-sandbox',
    'site',
  ]),
  ...SHORT_PROOFS,
]

/** The operator on a real server. All others ask what the sandbox knows of its own version, or need no server. */
export const OPERATOR_SUITES = [
  ...filesOf([
    'adoption',
    'allow-teardown',
    'confined-rights',
    'crash',
    'diff',
    'edited-role',
    'expired-versions',
    'faults',
    'leadership',
    'life',
    'orphaning',
    'reload',
    'rest',
    'rights',
    'run',
    'shards',
  ]),
  ...['policies', 'scenarios', 'tomcat', 'two-versions', 'write-counts'].map(
    (name) => `test/scenarios/${name}.test.ts`,
  ),
]

function filesOf(names: readonly string[]): readonly string[] {
  return names.map((name) => `test/cluster/${name}.test.ts`)
}
