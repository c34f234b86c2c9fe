import { expect } from 'chai'
import { mountHint } from '../../../src/rolebook/trial/mount-hint.ts'

describe('the hint for a mount', () => {
  const path = ['spec', 'containers', 0, 'volumeMounts', 0, 'name']
  const pod = (volumes: readonly { readonly name: string }[]) => ({
    spec: { containers: [{ volumeMounts: [{ name: 'conf' }] }], volumes },
  })

  it('names the volume that begins so', () => {
    expect(mountHint(pod([{ name: 'config' }, { name: 'data' }]), path)).to.equal('did you mean `config`?')
  })

  it('is none for another field, and where there is no volume', () => {
    expect(mountHint(pod([{ name: 'config' }]), [...path.slice(0, -1), 'mountPath'])).to.equal(undefined)
    expect(mountHint(pod([]), path)).to.equal(undefined)
  })
})
