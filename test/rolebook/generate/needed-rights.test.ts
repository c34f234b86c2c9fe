import { expect } from 'chai'
import { formatGvk } from '../../../src/core/kube/group-version-kind.ts'
import type { Project } from '../../../src/engine/operator/project.ts'
import { builtinTaskKinds } from '../../../src/engine/tasks/builtin-task-kinds.ts'
import { loadProject } from '../../../src/rolebook/config/load-project.ts'
import { unknownGrants } from '../../../src/rolebook/generate/granting-rights.ts'
import { kindsOf, offlineKindNames } from '../../../src/rolebook/generate/kind-names.ts'
import { neededRights, type RightsSettings } from '../../../src/rolebook/generate/needed-rights.ts'
import { loadBuiltinSchemas } from '../../../src/sandbox/cluster/load-builtin-schemas.ts'
import { CRD, ProjectFolder } from '../../support/project-folder.ts'
import {
  ACKNOWLEDGED,
  CASES,
  CONFIG_MAP,
  ensure,
  RBAC,
  RESOURCE,
  type RightsCase,
  RULE,
  WEB,
} from './needed-rights-cases.ts'

const object = (task: string, kind: string, rest: string): string =>
  `{${task}: {${RBAC}, kind: ${kind}, metadata: {name: x, labels: {a: b}}${rest}}}`
const BINDING = ['RoleBinding', '`bind` for the roles that they name'] as const
const ROLE = ['Role', '`escalate` for them'] as const
/** What objects of RBAC grant that is not literal in the role. */
const COMPUTED = [
  {
    name: 'a role by a computed name',
    task: object('ensure', 'RoleBinding', ', roleRef: {kind: Role, name: "${spec.of}"}'),
    advice: BINDING,
  },
  {
    name: 'a role of a computed kind',
    task: object('ensure', 'RoleBinding', ', roleRef: {kind: "${spec.kind}", name: a}'),
    advice: BINDING,
  },
  {
    name: 'a computed reference to a role',
    task: object('ensure', 'RoleBinding', ', roleRef: "${spec.ref}"'),
    advice: BINDING,
  },
  { name: 'a binding whose other fields are changed', task: object('patch', 'RoleBinding', ''), advice: BINDING },
  { name: 'computed rules', task: object('ensure', 'Role', ', rules: "${spec.rules}"'), advice: ROLE },
  { name: 'a computed rule', task: object('ensure', 'Role', `, rules: [${RULE}, "\${spec.rule}"]`), advice: ROLE },
  {
    name: 'a computed part of a rule',
    task: object('ensure', 'Role', `, rules: [${RULE.replace('renew', '"${spec.verb}"')}]`),
    advice: ROLE,
  },
  { name: 'a role whose other fields are changed', task: object('patch', 'Role', ''), advice: ROLE },
  {
    name: 'URLs',
    task: object('ensure', 'ClusterRole', ', rules: [{nonResourceURLs: [/x], verbs: [get]}]'),
    advice: ['ClusterRole', ROLE[1]],
  },
  {
    name: 'rules of others',
    task: object('ensure', 'ClusterRole', `, rules: [${RULE}], aggregationRule: {clusterRoleSelectors: []}`),
    advice: ['ClusterRole', ROLE[1]],
  },
] as const

/** No role is about it. */
const SETTINGS = { namespace: 'system' } as const
const INSTALLATION = [
  'system configmaps create',
  'system configmaps/rolebook-ledger get,patch',
  'system secrets create',
  'system secrets/rolebook-ledger get',
]
/** Those besides which nothing gives the right to write events. */
const OWN_EVENTS = 'system events create'

describe('the rights that a project needs', () => {
  for (const { name, role, rights, ...given } of CASES) {
    it(`are for ${name}`, async () => {
      const project = await projectOf(role, given)
      const ofRoles = printed(project, SETTINGS).filter((right) => !right.startsWith('system '))
      expect(ofRoles).to.have.members(rights)
    })
  }

  it('are, for the lease and those who read metrics, those of an installation', async () => {
    const project = await projectOf('tasks: [{set: {a: 1}}]', {})
    const settings = { ...SETTINGS, leaderElection: { id: 'one', namespace: 'leases' }, checksReaders: true }
    expect(printed(project, settings)).to.have.members([
      ...RESOURCE,
      ...INSTALLATION,
      'leases leases create',
      'leases leases/one get,patch,watch',
      '* tokenreviews create',
      '* subjectaccessreviews create',
    ])
  })

  it('are, for shards, those to all leases of the namespace, since each replica has one of its own', async () => {
    const project = await projectOf('tasks: [{set: {a: 1}}]', {})
    const leaderElection = { id: 'one', namespace: 'leases', shards: 4 }
    expect(printed(project, { ...SETTINGS, leaderElection })).to.have.members([
      ...RESOURCE,
      ...INSTALLATION,
      'leases leases create,delete,get,list,patch,watch',
    ])
  })

  it('are not given in the namespace of the operator where they are given everywhere', async () => {
    const project = await projectOf(ensure('name: "${metadata.name}"'), {})
    const rights = printed(project, SETTINGS).filter((right) => right.startsWith('system '))
    expect(rights).to.have.members(['system secrets create', 'system secrets/rolebook-ledger get'])
  })

  it('leave out unknown kinds', async () => {
    const project = await projectOf('tasks: [{get: {apiVersion: x.org/v1, kind: X, name: x}, register: x}]', {
      crd: '',
    })
    expect(printed(project, SETTINGS)).to.have.members([...INSTALLATION, OWN_EVENTS])
    expect(kindsOf(project).map(formatGvk)).to.deep.equal(['example.com/v1 Web', 'x.org/v1 X'])
  })

  for (const { name, task, advice } of COMPUTED) {
    it(`leave to people what only a run knows, and say so: ${name}`, async () => {
      const project = await projectOf(`tasks: [${task}]`, { watch: ACKNOWLEDGED })
      const rights = printed(project, SETTINGS).join()
      expect(rights).to.not.match(/\b(bind|escalate|leases)\b/)
      const [kind, remedy] = advice
      expect(unknownGrants(project)).to.deep.equal([
        `What a ${kind} of the role "web" grants is known to a run alone: add those rights, or ${remedy}`,
      ])
    })
  }

  it('are given once, and not where a wider one is', async () => {
    const role = `tasks:
      - {ensure: {${CONFIG_MAP}, metadata: {name: settings, namespace: a}}}
      - {ensure: {${CONFIG_MAP}, metadata: {name: settings}}}
      - {ensure: {${CONFIG_MAP}, metadata: {name: "\${metadata.name}"}}}`
    const rights = printed(await projectOf(role, { watch: 'allowedNamespaces: [a]' }), SETTINGS)
    expect(rights.filter((one) => one.includes('configmaps') && !one.startsWith('system'))).to.deep.equal([
      '* configmaps create,delete,get,list,patch,watch',
    ])
  })
})

async function projectOf(
  role: string,
  { watch = '', kind = WEB, crd = CRD }: Omit<Partial<RightsCase>, 'role' | 'rights'>,
): Promise<Project> {
  const folder = await ProjectFolder.create({
    'watches.yaml': `- {${kind}, role: web${watch && `, ${watch}`}}\n`,
    'roles/web/role.yaml': `${role}\n`,
    ...(crd && { 'roles/web/crd.yaml': crd }),
  })
  const { project, diagnostics } = await loadProject({ ...folder.options, kinds: builtinTaskKinds })
  await folder.delete()
  if (!project) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  return project
}

/** One line for each object that rights are about. */
function printed(project: Project, settings: Omit<RightsSettings, 'names'>): readonly string[] {
  const names = offlineKindNames(project.crds as readonly object[] as [], loadBuiltinSchemas())
  const rights = neededRights(project, { ...settings, names })
  const places = Map.groupBy(rights, ({ namespace = '*', resource, name }) => {
    return `${namespace} ${resource}${name === undefined ? '' : `/${name}`}`
  })
  return [...places].map(([place, found]) => `${place} ${found.map(({ verb }) => verb).join()}`)
}
