import { expect } from 'chai'
import { type Environment, environmentProxy } from '../../../src/core/kube-client/environment-proxy.ts'

const PROXY = 'http://proxy:3128'

const cases: readonly {
  readonly name: string
  readonly server: string
  readonly environment: Environment
  readonly proxy?: string
}[] = [
  { name: 'no variable', server: 'https://10.0.0.1:6443', environment: {} },
  { name: 'an empty variable', server: 'https://10.0.0.1', environment: { HTTPS_PROXY: '' } },
  { name: 'HTTPS_PROXY', server: 'https://api.example.com', environment: { HTTPS_PROXY: PROXY }, proxy: PROXY },
  { name: 'https_proxy', server: 'https://api.example.com', environment: { https_proxy: PROXY }, proxy: PROXY },
  {
    name: 'a proxy without scheme',
    server: 'https://api.example.com',
    environment: { HTTPS_PROXY: 'proxy:3128' },
    proxy: PROXY,
  },
  { name: 'this machine', server: 'https://127.0.0.1:6443', environment: { HTTPS_PROXY: PROXY } },
  { name: 'this machine by name', server: 'https://localhost', environment: { HTTPS_PROXY: PROXY } },
  { name: 'this machine in version 6', server: 'https://[::1]:6443', environment: { HTTPS_PROXY: PROXY } },
]

/** Whether a server is reached directly with such a list. */
const lists: readonly { readonly noProxy: string; readonly server: string; readonly direct: boolean }[] = [
  { noProxy: '*', server: 'https://api.example.com', direct: true },
  { noProxy: 'example.com', server: 'https://api.example.com', direct: true },
  { noProxy: 'example.com', server: 'https://example.com', direct: true },
  { noProxy: 'example.com', server: 'https://badexample.com', direct: false },
  { noProxy: '.example.com', server: 'https://api.example.com', direct: true },
  { noProxy: '.example.com', server: 'https://example.com', direct: false },
  { noProxy: '*.example.com', server: 'https://api.example.com', direct: true },
  { noProxy: 'other.org, API.example.com', server: 'https://api.example.com', direct: true },
  { noProxy: 'api.example.com:6443', server: 'https://api.example.com:6443', direct: true },
  { noProxy: 'api.example.com:6443', server: 'https://api.example.com', direct: false },
  { noProxy: 'api.example.com:443', server: 'https://api.example.com', direct: true },
  { noProxy: '10.0.0.1', server: 'https://10.0.0.1:6443', direct: true },
  { noProxy: '10.0.0.1', server: 'https://10.0.0.2', direct: false },
  { noProxy: '10.0.0.0/8', server: 'https://10.96.0.1', direct: true },
  { noProxy: '10.0.0.0/8', server: 'https://11.96.0.1', direct: false },
  { noProxy: '10.0.0.0/8', server: 'https://[fd00::1]', direct: false },
  { noProxy: '10.0.0.0/99', server: 'https://10.96.0.1', direct: false },
  { noProxy: 'example.com/8', server: 'https://10.96.0.1', direct: false },
  { noProxy: 'fd00::/8', server: 'https://[fd00::1]:6443', direct: true },
  { noProxy: 'fd00::1', server: 'https://[fd00::1]:6443', direct: true },
  { noProxy: '[fd00::1]:6443', server: 'https://[fd00::1]:6443', direct: true },
  { noProxy: 'example.com', server: 'https://10.0.0.1', direct: false },
]

describe('the proxy of the environment', () => {
  for (const { name, server, environment, proxy } of cases) {
    it(`with ${name} is ${proxy ?? 'none'}`, () => {
      expect(environmentProxy(new URL(server), environment)).to.equal(proxy)
    })
  }

  for (const { noProxy, server, direct } of lists) {
    it(`with NO_PROXY ${noProxy} is ${direct ? 'not ' : ''}used for ${server}`, () => {
      const environment = { HTTPS_PROXY: PROXY, NO_PROXY: noProxy }
      expect(environmentProxy(new URL(server), environment)).to.equal(direct ? undefined : PROXY)
    })
  }

  it('is left out by no_proxy, too', () => {
    const environment = { https_proxy: PROXY, no_proxy: 'example.com' }
    expect(environmentProxy(new URL('https://example.com'), environment)).to.equal(undefined)
  })
})
