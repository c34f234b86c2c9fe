import { expect } from 'chai'
import { describeBuiltin, ours, smallBudget } from './builtin-cases.ts'

const missing = { name: 'gives nothing for nothing', args: [undefined] }

describe('functions that encode', () => {
  describeBuiltin('base64encode', [
    missing,
    { name: 'encodes', args: ['hello:world'], gives: 'aGVsbG86d29ybGQ=' },
    { name: 'encodes Latin-1, as the library', args: ['é'], gives: '6Q==' },
  ])
  describeBuiltin('base64decode', [
    missing,
    { name: 'decodes', args: ['aGVsbG86d29ybGQ='], gives: 'hello:world' },
    { name: 'takes the URL alphabet, without padding', args: ['_-8'], gives: 'ÿï' },
  ])
  describeBuiltin('encodeUrlComponent', [
    missing,
    { name: 'encodes all that separates', args: ['?x=tést/'], gives: '%3Fx%3Dt%C3%A9st%2F' },
    { name: 'refuses half a character', args: ['\ud800'], fails: 'D3140' },
  ])
  describeBuiltin('encodeUrl', [
    missing,
    { name: 'leaves what separates', args: ['https://a.b/é?x=1'], gives: 'https://a.b/%C3%A9?x=1' },
    { name: 'refuses half a character', args: ['\ud800'], fails: 'D3140' },
  ])
  describeBuiltin('decodeUrlComponent', [
    missing,
    { name: 'decodes', args: ['%3Fx%3Dt%C3%A9st%2F'], gives: '?x=tést/' },
    { name: 'refuses broken escapes', args: ['%E0%A4%A'], fails: 'D3140' },
  ])
  describeBuiltin('decodeUrl', [
    missing,
    { name: 'leaves what separates', args: ['%3Fx%3Dt%C3%A9st%2F'], gives: '%3Fx%3Dtést%2F' },
    { name: 'refuses broken escapes', args: ['%E0%A4%A'], fails: 'D3140' },
  ])

  it('pays for text before it is made', () => {
    const long = 'x'.repeat(10_000)
    for (const name of ['base64encode', 'base64decode', 'encodeUrl', 'encodeUrlComponent', 'decodeUrl']) {
      expect(ours(name, [long], smallBudget({ bytes: 1000 })), name).to.deep.equal({ code: 'E1002' })
    }
    expect(ours('encodeUrl', ['€'.repeat(100)], smallBudget({ bytes: 500 }))).to.deep.equal({ code: 'E1002' })
  })
})
