import { expect } from 'chai'
import {
  isEventWrite,
  isRead,
  isWrite,
  parseServerMetrics,
  type RequestCount,
  requestsBetween,
} from '../../bench/cluster/server-metrics.ts'

const TEXT = `# HELP apiserver_request_total Counter of apiserver requests
# TYPE apiserver_request_total counter
apiserver_request_total{code="201",component="apiserver",dry_run="",group="",resource="configmaps",scope="resource",subresource="",verb="APPLY",version="v1"} 12
apiserver_request_total{code="200",component="apiserver",dry_run="",group="bench.rolebook.dev",resource="widgets",scope="resource",subresource="status",verb="PATCH",version="v1"} 1.5e+03
apiserver_request_total{code="200",component="apiserver",dry_run="All",group="",resource="configmaps",scope="resource",subresource="",verb="GET",version="v1"} 2
apiserver_request_total{code="200",component="apiserver",dry_run="",group="",resource="configmaps",scope="resource",subresource="",verb="GET",version="v1"} 3
apiserver_request_duration_seconds_count{code="200",resource="configmaps",verb="GET"} 99
process_cpu_seconds_total 17.25
`
const request = (verb: string, resource: string, count = 1, code = '200'): RequestCount => ({
  verb,
  resource,
  code,
  count,
})

describe('parseServerMetrics', () => {
  const { requests, cpuSeconds } = parseServerMetrics(TEXT)

  it('counts requests by verb, resource and code, and nothing else', () => {
    expect(requests).to.deep.equal([
      request('APPLY', 'configmaps', 12, '201'),
      request('PATCH', 'widgets.bench.rolebook.dev/status', 1500),
      request('GET', 'configmaps', 5),
    ])
  })

  it('reads the processor time of the server', () => expect(cpuSeconds).to.equal(17.25))
})

describe('requestsBetween', () => {
  const at = (...requests: RequestCount[]) => ({ requests, cpuSeconds: 0 })
  const cases = [
    {
      name: 'leaves out what was before',
      before: at(request('GET', 'secrets', 5)),
      after: at(request('GET', 'secrets', 7)),
      own: [],
      expected: [request('GET', 'secrets', 2)],
    },
    {
      name: 'has what was never asked before',
      before: at(),
      after: at(request('GET', 'secrets', 7)),
      own: [],
      expected: [request('GET', 'secrets', 7)],
    },
    {
      name: 'leaves out what the bench has sent, and all that came to nothing',
      before: at(request('POST', 'secrets', 1)),
      after: at(request('POST', 'secrets', 3), request('DELETE', 'secrets', 2)),
      own: [request('POST', 'secrets'), request('POST', 'secrets'), request('DELETE', 'secrets')],
      expected: [request('DELETE', 'secrets', 1)],
    },
    {
      name: 'tells refused requests from others',
      before: at(),
      after: at(request('POST', 'secrets', 3, '201'), request('POST', 'secrets', 1, '409')),
      own: [request('POST', 'secrets', 3, '201')],
      expected: [request('POST', 'secrets', 1, '409')],
    },
  ]

  for (const { name, before, after, own, expected } of cases) {
    it(name, () => expect(requestsBetween(before, after, own)).to.deep.equal(expected))
  }
})

describe('a request of an operator', () => {
  const cases = [
    { verb: 'APPLY', resource: 'configmaps', counts: 'write' },
    { verb: 'PATCH', resource: 'widgets.bench.rolebook.dev/status', counts: 'write' },
    { verb: 'PUT', resource: 'widget8s.bench.rolebook.dev/status', counts: 'write' },
    { verb: 'GET', resource: 'serviceaccounts', counts: 'read' },
    { verb: 'LIST', resource: 'widgets.bench.rolebook.dev', counts: 'read' },
    { verb: 'POST', resource: 'events', counts: 'Event' },
    { verb: 'PATCH', resource: 'events.events.k8s.io', counts: 'Event' },
    { verb: 'PUT', resource: 'leases.coordination.k8s.io', counts: 'nothing' },
    { verb: 'POST', resource: 'selfsubjectaccessreviews.authorization.k8s.io', counts: 'nothing' },
    { verb: 'WATCH', resource: 'secrets', counts: 'nothing' },
    { verb: 'LIST', resource: 'events', counts: 'nothing' },
  ]

  for (const { verb, resource, counts } of cases) {
    it(`${verb} ${resource} counts as ${counts}`, () => {
      const one = request(verb, resource)
      const found = isWrite(one) ? 'write' : isRead(one) ? 'read' : isEventWrite(one) ? 'Event' : 'nothing'
      expect(found).to.equal(counts)
    })
  }
})
