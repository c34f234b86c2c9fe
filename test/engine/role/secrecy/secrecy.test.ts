import { expect } from 'chai'
import { Secrecy } from '../../../../src/engine/role/secrecy/secrecy.ts'

const metadata = { name: 'it' }
const SECRET = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata,
  type: 'kubernetes.io/tls',
  data: { k: 'c2VjcmV0LXZhbHVl' },
}

describe('what a run hides of an object as a whole', () => {
  it('is the data of a Secret, not its type', () => {
    const secrecy = new Secrecy()
    secrecy.hideContent(SECRET)
    const text = 'label app.kubernetes.io/name is required, not secret-value'
    expect(secrecy.redact(text)).to.equal('label app.kubernetes.io/name is required, not <redacted>')
  })

  it('is everything but the metadata of any other', () => {
    const secrecy = new Secrecy()
    secrecy.hideContent({ apiVersion: 'v1', kind: 'Service', metadata, spec: { type: 'LoadBalancer' } })
    expect(secrecy.redact('Service it: LoadBalancer')).to.equal('Service it: <redacted>')
  })

  it('is the type, too, of what another group calls a Secret', () => {
    const secrecy = new Secrecy()
    secrecy.hideContent({ ...SECRET, apiVersion: 'example.com/v1' })
    expect(secrecy.redact('kubernetes.io/tls')).to.equal('<redacted>')
  })
})
