import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { warningsOfPods } from '../../../../src/sandbox/apiserver/admission/pod-security/existing-pods.ts'
import { policyOf } from '../../../../src/sandbox/apiserver/admission/pod-security/policy.ts'
import { inFull, violationsOf } from '../../../../src/sandbox/apiserver/admission/pod-security/standards.ts'

const { enforce } = policyOf({ 'pod-security.kubernetes.io/enforce': 'baseline' })

const pod = (name: string, spec: JsonObject, controller?: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    ...(controller && {
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid: controller, controller: true }],
    }),
  },
  spec,
})

describe('Pod Security', () => {
  it('looks at one pod of each controller before it looks at more', () => {
    const many = Array.from({ length: 2999 }, (_, index) => pod(`many-${index}`, {}, 'a'))
    const pods = [...many, pod('again', { hostPID: true }, 'a'), pod('other', { hostPID: true }, 'b'), pod('lone', {})]
    expect(warningsOfPods('shop', pods, enforce)).to.deep.equal([
      'new PodSecurity enforce level only checked against the first 3000 of 3002 existing pods',
      'existing pods in namespace "shop" violate the new PodSecurity enforce level "baseline:latest"',
      'other: host namespaces',
    ])
  })

  it('knows profiles of AppArmor that annotations ask for', () => {
    const prefix = 'container.apparmor.security.beta.kubernetes.io'
    const annotations = { [`${prefix}/a`]: 'localhost/x', [`${prefix}/b`]: 'unconfined', [`${prefix}/c`]: '' }
    expect(inFull(violationsOf({ spec: {}, annotations }, enforce))).to.equal(
      `forbidden AppArmor profile (annotation must not set AppArmor profile type to "${prefix}/b="unconfined"")`,
    )
  })

  it('takes a level that is none for the strictest, and warns of nothing then', () => {
    const policy = policyOf({ 'pod-security.kubernetes.io/enforce': 'none' })
    expect([policy.enforce.level, policy.warn.level, policy.errors.length]).to.deep.equal([
      'restricted',
      'privileged',
      1,
    ])
  })
})
