import { expect } from 'chai'
import { configMap, Sandbox } from '../sandbox.ts'

const MAP = '/api/v1/namespaces/default/configmaps/a'

interface Case {
  readonly path: string
  readonly headers?: Record<string, string>
  readonly pretty: boolean
}

const cases: readonly Case[] = [
  { path: MAP, pretty: false },
  { path: MAP, headers: { 'user-agent': 'curl/8.5.0' }, pretty: true },
  { path: MAP, headers: { 'user-agent': 'Wget/1.21' }, pretty: true },
  { path: MAP, headers: { 'user-agent': 'Mozilla/5.0 (X11)' }, pretty: true },
  { path: MAP, headers: { 'user-agent': 'not-curl/1' }, pretty: false },
  { path: `${MAP}?pretty=true`, pretty: true },
  { path: `${MAP}?pretty=1`, pretty: true },
  { path: `${MAP}?pretty=yes`, pretty: false },
  { path: `${MAP}?pretty=false`, headers: { 'user-agent': 'curl/8.5.0' }, pretty: false },
  { path: `${MAP}?pretty=`, headers: { 'user-agent': 'curl/8.5.0' }, pretty: true },
  { path: MAP, headers: { accept: 'application/json;pretty=1' }, pretty: true },
  { path: `${MAP}-missing?pretty=true`, pretty: true },
  { path: '/api/v1/configmaps?pretty=true', pretty: true },
  { path: '/apis?pretty=true', pretty: true },
  { path: '/apis', pretty: false },
  { path: '/version', pretty: true },
  { path: '/', pretty: true },
  { path: '/openapi/v3?pretty=true', pretty: false },
]

describe('Pretty printing', () => {
  const sandbox = new Sandbox()
  before(async () => {
    await sandbox.start()
    sandbox.objects.create(configMap('a', { data: { x: 'y' } }), 'test')
  })
  after(() => sandbox.stop())

  for (const { path, headers = {}, pretty } of cases) {
    const asked = [path, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join(', ')
    it(`is ${pretty ? 'done' : 'not done'} for ${asked}`, async () => {
      const { text, body } = await sandbox.send('GET', path, { headers })
      expect(Object.keys(body)).to.not.deep.equal([])
      expect(text === JSON.stringify(body, null, 2)).to.equal(pretty)
    })
  }

  it('leaves watches one line an event', async () => {
    const path = '/api/v1/configmaps?watch=true&timeoutSeconds=1&pretty=true&fieldSelector=metadata.name%3Da'
    const { text } = await sandbox.send('GET', path)
    expect(text.trim().split('\n')).to.have.length(1)
  })
})
