import { expect } from 'chai'
import { isMeant } from './judge.ts'

const UNREACHABLE = 'service unavailable\n'
const CASES: readonly {
  readonly name: string
  readonly path: string
  readonly body: string
  readonly meant: boolean
}[] = [
  { name: 'an API service out of reach', path: '/apis/far-a.example.com/v1/things', body: UNREACHABLE, meant: true },
  { name: 'the same text for a built-in kind', path: '/api/v1/pods', body: UNREACHABLE, meant: false },
  { name: 'the same text for another group', path: '/apis/a.example.com/v1/far-x', body: UNREACHABLE, meant: false },
  { name: 'another text for that service', path: '/apis/far-a.example.com/v1/things', body: 'panic', meant: false },
  { name: 'a webhook out of reach', path: '/api/v1/pods', body: 'failed calling webhook "a"', meant: true },
]

describe('an error of the server', () => {
  for (const { name, path, body, meant } of CASES) {
    it(`${meant ? 'is what the real server says' : 'is a fault'}: ${name}`, () => {
      expect(isMeant(path, body)).to.equal(meant)
    })
  }
})
