import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import type { Journal, KeptObject } from '../../../../src/sandbox/apiserver/store/journal.ts'
import { Sandbox } from '../sandbox.ts'

const MAPS = '/api/v1/namespaces/default/configmaps'
const RULE = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }

interface Row {
  readonly name: string
  readonly kind: 'Validating' | 'Mutating'
  readonly spec: JsonObject
  readonly binding?: JsonObject
  readonly message: RegExp
}

const mutations = (patchType: string, field: string, expression: string): JsonObject => ({
  reinvocationPolicy: 'Never',
  mutations: [{ patchType, [field]: { expression } }],
})

/** What a server of today would refuse to store. */
const ROWS: readonly Row[] = [
  {
    name: 'a validation that does not compile',
    kind: 'Validating',
    spec: { validations: [{ expression: 'nothing' }] },
    message: /denied request: compilation error: compilation failed: .*undeclared reference to 'nothing'/s,
  },
  {
    name: 'a variable that does not compile',
    kind: 'Validating',
    spec: {
      variables: [{ name: 'v', expression: 'nothing' }],
      validations: [{ expression: 'variables.v == 1' }],
    },
    message: /composited variable "v" fails to compile: compilation failed: .*undeclared reference to 'nothing'/s,
  },
  {
    name: 'a patch that does not compile',
    kind: 'Mutating',
    spec: mutations('JSONPatch', 'jsonPatch', 'nothing'),
    message: /denied request: compilation failed: .*undeclared reference to 'nothing'/s,
  },
  {
    name: 'a mutation without the expression of its kind',
    kind: 'Mutating',
    spec: mutations('JSONPatch', 'applyConfiguration', 'Object{}'),
    message: /denied request: compilation failed: /,
  },
  {
    name: 'an unknown reason',
    kind: 'Validating',
    spec: { validations: [{ expression: 'false', message: 'no', reason: 'Other' }] },
    message: /denied request: no$/,
  },
  {
    name: 'a binding that names no parameters',
    kind: 'Validating',
    spec: { paramKind: { apiVersion: 'v1', kind: 'Secret' }, validations: [{ expression: 'true' }] },
    binding: { paramRef: { parameterNotFoundAction: 'Deny' } },
    message: /failed to configure binding: one of name or selector must be provided/,
  },
]

describe('Policies that an older server has kept', () => {
  for (const { name, kind, spec, binding, message } of ROWS) {
    it(`refuse by ${name}`, async () => {
      const sandbox = new Sandbox({ journal: keeping(policyOf(kind, spec), bindingOf(kind, binding)) })
      await sandbox.start()
      try {
        const refused = await sandbox.send('POST', MAPS, { body: { metadata: { name: 'a' } } })
        expect(refused.status, refused.text).to.be.oneOf([403, 422])
        expect(refused.body.message).to.match(message)
      } finally {
        await sandbox.stop()
      }
    })
  }

  it('do not keep a server from starting whose own objects they refuse', async () => {
    const deny = { validations: [{ expression: 'false' }] }
    const sandbox = new Sandbox({ journal: keeping(policyOf('Validating', deny), bindingOf('Validating')) })
    await sandbox.start()
    try {
      expect((await sandbox.send('GET', `${MAPS}/kube-root-ca.crt`)).status).to.equal(404)
      expect((await sandbox.send('GET', '/api/v1/namespaces/default/serviceaccounts/default')).status).to.equal(200)
    } finally {
      await sandbox.stop()
    }
  })
})

function policyOf(kind: string, spec: JsonObject): KubeObject {
  return kept(`${kind}AdmissionPolicy`, { matchConstraints: { resourceRules: [RULE] }, ...spec })
}

function bindingOf(kind: string, more?: JsonObject): KubeObject {
  return kept(`${kind}AdmissionPolicyBinding`, { policyName: 'old', validationActions: ['Deny'], ...more })
}

function kept(kind: string, spec: JsonObject): KubeObject {
  const metadata = { name: 'old', uid: kind, resourceVersion: '5', creationTimestamp: '2020-01-01T00:00:00Z' }
  return { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata, spec } as unknown as KubeObject
}

function keeping(...objects: readonly KubeObject[]): Journal {
  const named = objects.map((object): KeptObject => {
    const plural = `${object.kind}s`.replace(/ys$/, 'ies').toLowerCase()
    return { resource: `admissionregistration.k8s.io/${plural}`, object }
  })
  return {
    kept: { revision: 5, objects: named, changes: [] },
    append: () => undefined,
    open: () => undefined,
  }
}
