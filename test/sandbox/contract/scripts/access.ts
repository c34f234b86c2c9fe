import type { Step } from '../exchange.ts'

const AUTHORIZATION = '/apis/authorization.k8s.io/v1'
const attributes = { verb: 'get', resource: 'pods', namespace: '{ns}' }

export const steps: readonly Step[] = [
  {
    name: 'may I',
    method: 'POST',
    path: `${AUTHORIZATION}/selfsubjectaccessreviews`,
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: attributes },
    },
  },
  {
    name: 'may I, of nothing',
    method: 'POST',
    path: `${AUTHORIZATION}/selfsubjectaccessreviews`,
    body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: {} },
  },
  {
    name: 'whose token',
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/tokenreviews',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: 'nobody' } },
  },
  { name: 'reviews are not listed', method: 'GET', path: `${AUTHORIZATION}/selfsubjectaccessreviews` },
]
