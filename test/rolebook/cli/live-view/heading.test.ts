import { expect } from 'chai'
import { headingOf, printHeading } from '../../../../src/rolebook/cli/live-view/heading.ts'

const OPTIONS = {
  kubeconfig: '.rolebook/kubeconfig',
  data: undefined,
  hasTerminal: true,
  runs: 'operator',
  lacksProject: false,
  kinds: ['memcacheds'],
} as const

describe('the heading of a sandbox', () => {
  const cases: readonly (readonly [name: string, kinds: readonly string[], line: string])[] = [
    ['the kinds of the project', ['memcacheds', 'maintpages'], 'kubectl get memcacheds,maintpages,deployments,pods'],
    ['those of a cluster without a project', [], 'kubectl get crds,deployments,pods,services'],
    [
      'as many kinds as fit the line',
      Array.from({ length: 20 }, (_, index) => `numbers${index}`),
      'kubectl get numbers0,numbers1,numbers2,numbers3,numbers4,deployments,pods',
    ],
  ]
  for (const [name, kinds, line] of cases) {
    it(`names ${name}`, () => expect(headingOf('https://x', { ...OPTIONS, kinds }).commands[1]).to.equal(line))
  }

  it('says first where the dashboard is', () => {
    const { note } = headingOf('https://x', { ...OPTIONS, dashboard: 'http://127.0.0.1:1/ui/' })
    expect(note).to.match(/^Dashboard at http:\/\/127\.0\.0\.1:1\/ui\/\. Edit watches/)
  })

  it('names the command that stops a sandbox in the background', () => {
    const { note } = headingOf('https://x', { ...OPTIONS, hasTerminal: false })
    expect(note).to.match(/ 'rolebook sandbox stop' stops and forgets everything\.$/)
  })

  it('is printed with lines to copy, and what becomes of the state', () => {
    expect(printHeading(headingOf('https://x', OPTIONS))).to.equal(`Kubernetes API at https://x. In another terminal:

  export KUBECONFIG=$PWD/.rolebook/kubeconfig
  kubectl get memcacheds,deployments,pods

Edit watches.yaml, roles and samples: the cluster follows. Ctrl-C stops and forgets everything.`)
    expect(headingOf('https://x', { ...OPTIONS, data: 'kept', kubeconfig: '/k' })).to.deep.include({
      commands: ['export KUBECONFIG=/k', 'kubectl get memcacheds,deployments,pods'],
      note: 'Edit watches.yaml, roles and samples: the cluster follows. Ctrl-C stops; the state stays in kept.',
    })
  })
})
