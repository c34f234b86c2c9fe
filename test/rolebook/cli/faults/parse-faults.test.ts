import { expect } from 'chai'
import { SourceFile } from '../../../../src/core/yaml/source-file.ts'
import { parseFaults } from '../../../../src/rolebook/cli/faults/parse-faults.ts'

const parse = (text: string) => parseFaults(new SourceFile('faults.yaml', text))
const rule = (text: string) => `rules:\n  - ${text}\n`

describe('A file of faults', () => {
  it('is read to a plan', () => {
    const text = `seed: 3
rules:
  - name: busy
    when: { verbs: [patch], resource: pods, every: 2 }
    do: { latency: 1s, reply: { code: 429, retryAfter: 5 } }
  - do: { stall: after }
`
    const { plan, diagnostics } = parse(text)
    expect(diagnostics).to.deep.equal([])
    expect(plan?.seed).to.equal(3)
    const [busy, stalled] = plan?.rules ?? []
    expect(busy?.when).to.deep.equal({ verbs: ['patch'], resource: 'pods', every: 2 })
    expect(busy?.do.latency).to.equal(1000)
    expect(busy?.do.reply?.retryAfter).to.equal(5)
    expect(busy?.do.reply?.body).to.include({ kind: 'Status', code: 429, reason: 'TooManyRequests' })
    expect(busy?.do.reply?.body.details).to.deep.equal({ retryAfterSeconds: 5 })
    expect(stalled).to.deep.include({ when: {} })
    expect(stalled?.do.stall).to.equal(0)
  })

  it('takes any code of an error, also one without a known reason', () => {
    const { body } = parse(rule('do: { reply: { code: 418 } }')).plan?.rules[0]?.do.reply ?? {}
    expect(body).to.deep.include({ code: 418, reason: '' })
  })

  const wrong = [
    { name: 'nothing in it', text: '# later\n', at: '1:1 RB1014', says: '' },
    { name: 'an unknown action', text: rule('do: { explode: true }'), at: '2:11 RB1020', says: 'explode' },
    {
      name: 'an unknown verb',
      text: rule('{ when: { verbs: [gets] }, do: { drop: after } }'),
      at: '2:23 RB1023',
      says: 'get',
    },
    { name: 'no action', text: rule('do: {}'), at: '2:9 RB1023', says: 'at least 1 key' },
    { name: 'a rule without do', text: rule('when: { every: 1 }'), at: '2:5 RB1021', says: '`do`' },
    { name: 'a plan without rules', text: 'seed: 1\n', at: '1:1 RB1021', says: '`rules`' },
    {
      name: 'a code that is not an error',
      text: rule('do: { reply: { code: 200 } }'),
      at: '2:26 RB1023',
      says: 'at least 400',
    },
    {
      name: 'a count from 0',
      text: rule('{ when: { every: 0 }, do: { drop: after } }'),
      at: '2:22 RB1023',
      says: 'at least 1',
    },
    { name: 'a latency without unit', text: rule('do: { latency: "5" }'), at: '2:20 RB1501', says: 'duration' },
    { name: 'a delay of days', text: rule('do: { watch: { delay: 48h } }'), at: '2:27 RB1501', says: 'up to 1h' },
    {
      name: 'two actions',
      text: rule('do: { drop: after, expire: true }'),
      at: '2:24 RB1502',
      says: 'drop and expire',
    },
    {
      name: 'a watch of what is no watch',
      text: rule('{ when: { verbs: [list] }, do: { watch: { closeAfter: 1 } } }'),
      at: '2:38 RB1503',
      says: 'verbs leave out',
    },
  ]
  for (const { name, text, at, says } of wrong) {
    it(`with ${name} is refused at its place`, () => {
      const { plan, diagnostics } = parse(text)
      expect(plan).to.equal(undefined)
      const [first] = diagnostics
      expect(`${first?.line}:${first?.column} ${first?.code}`).to.equal(at)
      expect(`${first?.message} ${first?.hint}`).to.include(says)
    })
  }
})
