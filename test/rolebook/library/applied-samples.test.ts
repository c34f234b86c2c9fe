import { expect } from 'chai'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { AppliedSamples } from '../../../src/rolebook/library/applied-samples.ts'

const note = (name: string, text = ''): KubeObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Note',
  metadata: { name },
  spec: { text },
})

describe('AppliedSamples', () => {
  let done: string[]
  let refused: string
  let samples: AppliedSamples
  beforeEach(() => {
    done = []
    refused = ''
    const record = (verb: string) => async (object: KubeObject) => {
      const name = object.metadata.name ?? ''
      done.push(`${verb} ${name}`)
      if (name === refused) throw new Error('the server says no')
    }
    const complain = (message: string): void => void done.push(message)
    samples = new AppliedSamples({ apply: record('apply'), remove: record('remove'), complain })
  })
  const follow = async (...objects: KubeObject[]): Promise<readonly string[]> => {
    await samples.follow([{ path: 'samples/all.yaml', objects }])
    return done.splice(0)
  }

  it('applies what is new or changed, and deletes what left its file', async () => {
    expect(await follow(note('a'), note('b'))).to.deep.equal(['apply a', 'apply b'])
    expect(await follow(note('a'), note('b', 'new'))).to.deep.equal(['apply b'])
    expect(await follow(note('b', 'new'))).to.deep.equal(['remove a'])
  })

  it('says what the server refuses, goes on, and tries it again at the next change', async () => {
    refused = 'a'
    const complaint = 'cannot apply samples/all.yaml: the server says no'
    expect(await follow(note('a'), note('b'))).to.deep.equal(['apply a', complaint, 'apply b'])
    refused = ''
    expect(await follow(note('a'), note('b'))).to.deep.equal(['apply a'])
    refused = 'a'
    const [tried, complained] = await follow(note('b'))
    expect([tried, complained]).to.deep.equal(['remove a', 'cannot delete Note.example.com a: the server says no'])
  })
})
