import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { execPath } from 'node:process'
import { expect } from 'chai'
import { parse, parseAllDocuments } from 'yaml'
import { projectAt } from '../support/running-operator.ts'
import { builtinResources, type Rule, rulesFor } from './needed-rules.ts'

interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly rules?: readonly Rule[]
  readonly spec?: PodOwnerSpec
}

interface PodOwnerSpec {
  readonly replicas: number
  readonly template: { readonly spec: PodSpec }
}

interface PodSpec {
  readonly serviceAccountName: string
  readonly securityContext: object
  readonly containers: readonly { readonly securityContext: object; readonly volumeMounts: readonly object[] }[]
  readonly volumes: readonly { readonly configMap: { readonly name: string } }[]
}

const read = (file: string): Manifest[] =>
  parseAllDocuments(readFileSync(`deploy/${file}`, 'utf8')).map((document) => document.toJS() as Manifest)

describe('deploy/', () => {
  it('has generated files that are current', () => {
    expect(() => execFileSync(execPath, ['bin/generate.ts', '--check'], { stdio: 'pipe' })).to.not.throw()
  })

  it('names in its kustomization every file that there is', () => {
    const { resources } = parse(readFileSync('deploy/kustomization.yaml', 'utf8')) as { resources: string[] }
    expect(resources).to.have.members(['namespace.yaml', 'crds.yaml', 'rbac.yaml', 'config.yaml', 'deployment.yaml'])
  })

  it('grants in the cluster exactly the rights that the roles need, and no wildcard', async () => {
    const clusterRole = read('rbac.yaml').find(({ kind }) => kind === 'ClusterRole')
    expect(flat(clusterRole?.rules ?? [])).to.have.members(flat(rulesFor(await projectAt(), builtinResources)))
  })

  it('grants in its own namespace the ledger alone', () => {
    const role = read('rbac.yaml').find(({ kind }) => kind === 'Role')
    expect(flat(role?.rules ?? [])).to.have.members([
      '/configmaps/rolebook-ledger get',
      '/configmaps/rolebook-ledger patch',
      '/configmaps create',
      '/secrets/rolebook-ledger get',
      '/secrets create',
    ])
  })

  it('runs as a user without any privilege, from folders that the kubelet keeps current', () => {
    const pod = read('deployment.yaml')[0]?.spec?.template.spec
    expect(pod?.securityContext).to.deep.include({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    expect(pod?.containers[0]?.securityContext).to.deep.equal({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(JSON.stringify(pod?.containers[0]?.volumeMounts)).to.not.include('subPath')
    const configMaps = read('config.yaml').map(({ metadata }) => metadata.name)
    expect(pod?.volumes.map(({ configMap }) => configMap.name)).to.have.members(configMaps)
  })
})

/** One line per verb and resource, so that grouping does not matter. */
function flat(rules: readonly Rule[]): string[] {
  return rules.flatMap(({ apiGroups, resources, verbs, resourceNames = [''] }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        resourceNames.flatMap((name) => verbs.map((verb) => `${group}/${resource}${name && `/${name}`} ${verb}`)),
      ),
    ),
  )
}
