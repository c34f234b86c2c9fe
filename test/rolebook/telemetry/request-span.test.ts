import { expect } from 'chai'
import { ApiError } from '../../../src/core/kube/api-error.ts'
import { requestAttributes, requestEnd } from '../../../src/rolebook/telemetry/request-span.ts'

const SERVER = 'https://k8s.example.com'

describe('the span of a request', () => {
  const urls = [
    { path: '/api/v1/namespaces/shop/pods/web', template: '/api/v1/namespaces/{namespace}/pods/{name}' },
    { path: '/api/v1/namespaces/shop', template: '/api/v1/namespaces/{name}' },
    { path: '/api/v1/namespaces', template: '/api/v1/namespaces' },
    { path: '/apis/apps/v1/deployments', template: '/apis/apps/v1/deployments' },
    {
      path: '/apis/example.com/v1/namespaces/shop/widgets/web/status',
      template: '/apis/example.com/v1/namespaces/{namespace}/widgets/{name}/status',
    },
    { path: '/k8s/clusters/c-1/api/v1/nodes/n1', template: '/k8s/clusters/c-1/api/v1/nodes/{name}' },
    { path: '/version', template: '/version' },
  ]
  for (const { path, template } of urls) {
    it(`names ${path} by its kind`, () =>
      expect(requestAttributes({ method: 'GET', url: SERVER + path })['url.template']).to.equal(template))
  }

  const queries = [
    { query: '?fieldManager=rolebook&force=false&dryRun=All', left: '?fieldManager=rolebook&force=false&dryRun=All' },
    { query: '?labelSelector=a%3Dsecret&limit=500', left: '?labelSelector=REDACTED&limit=500' },
    { query: '?token=a&token=b', left: '?token=REDACTED' },
    { query: '', left: '' },
  ]
  for (const { query, left } of queries) {
    it(`keeps of the query "${query}" only what cannot be secret`, () => {
      const { 'url.full': url } = requestAttributes({ method: 'GET', url: `${SERVER}/api/v1/pods${query}` })
      expect(url).to.equal(`${SERVER}/api/v1/pods${left}`)
    })
  }

  it('has no user name and no password of an address', () => {
    const { 'url.full': url } = requestAttributes({ method: 'GET', url: 'https://me:hunter2@k8s.example.com/version' })
    expect(url).to.equal(`${SERVER}/version`)
  })

  it('has the port that the scheme stands for', () => {
    expect(requestAttributes({ method: 'GET', url: `${SERVER}/version` })['server.port']).to.equal(443)
    expect(requestAttributes({ method: 'GET', url: 'http://localhost/version' })['server.port']).to.equal(80)
  })

  const ends = [
    { name: 'a success', end: { httpStatus: 201 }, method: 'POST', error: undefined, type: undefined },
    { name: 'a read of what is not there', end: { httpStatus: 404 }, method: 'GET', error: undefined, type: undefined },
    {
      name: 'a write to what is not there',
      end: { httpStatus: 404 },
      method: 'PATCH',
      error: 'the API server answered 404',
      type: '404',
    },
    {
      name: 'a server that does not answer',
      end: { error: new ApiError(0, 'NoAnswer', 'cannot GET /version: ECONNREFUSED') },
      method: 'GET',
      error: 'cannot GET /version: ECONNREFUSED',
      type: 'NoAnswer',
    },
    {
      name: 'a run that is aborted',
      end: { error: new TypeError('too late') },
      method: 'GET',
      error: 'too late',
      type: 'TypeError',
    },
    { name: 'a reason that is not an error', end: { error: 'stop' }, method: 'GET', error: 'stop', type: 'unknown' },
  ] as const
  for (const { name, end, method, error, type } of ends) {
    it(`tells of ${name} what went wrong, if something did`, () => {
      const ended = requestEnd(end, { method })
      expect(ended.error).to.equal(error)
      expect(ended.attributes['error.type']).to.equal(type)
    })
  }
})
