import { expect } from 'chai'
import { parseGroupKind } from '../../../../src/core/kube/group-version-kind.ts'
import { checkText } from '../../../support/checked-role.ts'
import { markedText } from '../../../support/marked-text.ts'

const TOKEN = 'type: kubernetes.io/service-account-token'
const ACCOUNT = 'kubernetes.io/service-account.name'
const GET = '  - get: {apiVersion: v1, kind: Secret, name: a}\n    register: old\n'

/** Tasks with which a user who may create the resource could raise their rights, with `«` before what says so. */
const RAISING = [
  { name: 'a binding', kind: 'RoleBinding.rbac.authorization.k8s.io', tasks: binding('ensure') },
  { name: 'a change of a binding', kind: 'RoleBinding.rbac.authorization.k8s.io', tasks: binding('patch') },
  {
    name: 'a Namespace, whose labels say how privileged its Pods may be',
    kind: 'Namespace',
    tasks: '  - patch: {apiVersion: v1, kind: «Namespace, metadata: {name: a}}\n',
  },
  {
    name: 'a binding that a chart makes',
    kind: 'RoleBinding.rbac.authorization.k8s.io',
    tasks: '  - chart: {path: charts/a, kinds: [v1/Secret, «rbac.authorization.k8s.io/v1/RoleBinding]}\n',
  },
  {
    name: 'a Secret for a token of a ServiceAccount',
    kind: 'Secret',
    tasks: ensureSecret(`{name: a, annotations: {${ACCOUNT}: admin}}, ${TOKEN}`),
  },
  {
    name: 'such a Secret whose annotations are there already',
    kind: 'Secret',
    tasks: ensureSecret(`{name: a}, ${TOKEN}`),
  },
  {
    name: 'a Secret of any type that names a ServiceAccount',
    kind: 'Secret',
    tasks: GET + ensureSecret(`{name: b, annotations: {${ACCOUNT}: admin}}, type: "\${$old.type}"`),
  },
  {
    name: 'a Secret of any type with any annotations',
    kind: 'Secret',
    tasks: GET + ensureSecret(`{name: b, annotations: "\${$old.metadata.annotations}"}, type: "\${$old.type}"`),
  },
  {
    name: 'a Secret of any type with an annotation of any name',
    kind: 'Secret',
    tasks: GET + ensureSecret(`{name: b, annotations: {"\${spec.annotation}": admin}}, type: "\${$old.type}"`),
  },
]

const HARMLESS = [
  { name: 'a Secret of a type of its own', tasks: ensureSecret('{name: a}, type: Opaque') },
  { name: 'a copy of a Secret', tasks: GET + ensureSecret('{name: b}, type: "${$old.type}"') },
  {
    name: 'a copy of a Secret with an annotation of its own',
    tasks: GET + ensureSecret('{name: b, annotations: {a: b}}, type: "${$old.type}"'),
  },
  {
    name: 'a Secret that names a ServiceAccount to people',
    tasks: ensureSecret(`{name: a, annotations: {${ACCOUNT}: admin}}, type: Opaque`),
  },
  { name: 'a chart with Secrets', tasks: '  - chart: {path: charts/a, kinds: [v1/Secret]}\n' },
  { name: 'a binding that is read', tasks: '  - get: {apiVersion: v1, kind: Namespace, name: a}\n' },
]

function binding(task: string): string {
  return `  - ${task}: {apiVersion: rbac.authorization.k8s.io/v1, kind: «RoleBinding, metadata: {name: a}}\n`
}

/** @param rest what comes after `metadata:` */
function ensureSecret(rest: string): string {
  return `  - ensure: {apiVersion: v1, kind: «Secret, metadata: ${rest}}\n`
}

describe('kinds that can raise rights', () => {
  for (const { name, kind, tasks } of RAISING) {
    const { text, place } = markedText(`tasks:\n${tasks}`)
    it(`need an acknowledgement: ${name}`, () => {
      const found = checkText(text).filter(({ code }) => code === 'RB1135')
      expect(found.map(({ line, column }) => `${line}:${column}`)).to.deep.equal([place])
      expect(found[0]?.hint).to.include(`acknowledge: [${kind}]`)
    })
    it(`are made where they are acknowledged: ${name}`, () => {
      const found = checkText(text, {}, { acknowledge: [parseGroupKind(kind)] })
      expect(found.map(({ code }) => code)).to.not.include('RB1135')
    })
  }

  for (const { name, tasks } of HARMLESS) {
    it(`are not: ${name}`, () => {
      expect(checkText(`tasks:\n${tasks.replace('«', '')}`).map(({ code }) => code)).to.not.include('RB1135')
    })
  }
})
